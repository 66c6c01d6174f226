import ThumbwheelCore
import ThumbwheelScheduling

// MARK: Preheating

extension PipelineState {
    /// What one caching manager wants to have ready (rows 151 to 154).
    struct Window {
        var allowsHighQuality = true
        var entries: [RenditionKey: Entry] = [:]

        struct Entry {
            /// The rendition that is made for the entry: a cheaper one while high quality is switched off.
            var held: RenditionKey
            let work: RenderWork
            var urgency: Double
            /// Of the call that added the entry: windows are walked in this order, never in a dictionary's.
            let sequence: Int64
        }
    }

    /// How many windows hold a rendition, and how urgently.
    struct Hold {
        var count: Int
        var rank: JobRank
        let work: RenderWork
    }

    package mutating func addWindow() -> Int {
        lastWindowNumber += 1
        windows[lastWindowNumber] = Window()
        return lastWindowNumber
    }

    package mutating func removeWindow(_ window: Int, at now: MonotonicTime) {
        stopCachingAll(in: window, at: now)
        windows[window] = nil
    }

    /// Adds renditions to a window; for those already in it only the urgency changes (decision on row 153).
    package mutating func startCaching(
        _ entries: [(key: RenditionKey, work: RenderWork, urgency: Double)], in window: Int, at now: MonotonicTime
    ) {
        guard !isClosed, let allowsHighQuality = windows[window]?.allowsHighQuality else { return }
        for (key, work, urgency) in entries {
            if let entry = windows[window]!.entries[key] {
                guard entry.urgency != urgency else { continue }
                windows[window]!.entries[key]!.urgency = urgency
                holds[entry.held]!.rank.urgency = urgency
                if let job = jobIDs[entry.held] { updateRank(of: job) }
                continue
            }
            lastSequence += 1
            let entry = Window.Entry(
                held: preferredKey(for: key, allowsHighQuality: allowsHighQuality), work: work, urgency: urgency,
                sequence: lastSequence)
            windows[window]!.entries[key] = entry
            hold(entry)
        }
        dispatch(at: now)
    }

    package mutating func stopCaching(_ keys: [RenditionKey], in window: Int, at now: MonotonicTime) {
        for key in keys {
            guard let entry = windows[window]?.entries.removeValue(forKey: key) else { continue }
            loosen(entry.held)
        }
        dispatch(at: now)
    }

    package mutating func stopCachingAll(in window: Int, at now: MonotonicTime) {
        for entry in entries(of: window) { loosen(entry.value.held) }
        windows[window]?.entries = [:]
        dispatch(at: now)
    }

    /// Switches what a window's work makes: what high-quality requests need, or only what fast ones do (row 154).
    package mutating func setAllowsHighQuality(_ allows: Bool, in window: Int, at now: MonotonicTime) {
        guard let state = windows[window], state.allowsHighQuality != allows else { return }
        windows[window]!.allowsHighQuality = allows
        for (key, entry) in entries(of: window) {
            let preferred = preferredKey(for: key, allowsHighQuality: allows)
            guard preferred != entry.held else { continue }
            var changed = entry
            changed.held = preferred
            windows[window]!.entries[key] = changed
            // Held before the other is let go: nothing falls between the two.
            hold(changed)
            loosen(entry.held)
        }
        dispatch(at: now)
    }

    package func allowsHighQuality(in window: Int) -> Bool { windows[window]?.allowsHighQuality ?? false }

    private func preferredKey(for key: RenditionKey, allowsHighQuality: Bool) -> RenditionKey {
        allowsHighQuality || cache.contains(key) ? key : key.with(.fast)
    }

    private func entries(of window: Int) -> [(key: RenditionKey, value: Window.Entry)] {
        (windows[window]?.entries ?? [:]).sorted { $0.value.sequence < $1.value.sequence }
    }

    // MARK: Holding

    private mutating func hold(_ entry: Window.Entry) {
        let key = entry.held
        if holds[key] != nil {
            holds[key]!.count += 1
            return
        }
        let rank = JobRank(
            priority: .prefetch, stage: .final, isSpeculative: true,
            isStoppable: entry.work.isStoppable(for: key.kind), urgency: entry.urgency, sequence: entry.sequence)
        holds[key] = Hold(count: 1, rank: rank, work: entry.work)
        if cache.contains(key) {
            cache.move(key, to: .held)
        } else if let job = jobIDs[key] {
            updateRank(of: job)
        } else {
            addJob(for: key, work: entry.work, rank: rank, subscribers: [])
        }
    }

    private mutating func loosen(_ key: RenditionKey) {
        holds[key]!.count -= 1
        guard holds[key]!.count == 0 else { return }
        holds[key] = nil
        if cache.contains(key) {
            cache.move(key, to: .loose)
        } else if let job = jobIDs[key] {
            updateRank(of: job)
        }
    }
}
