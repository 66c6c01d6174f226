import ThumbwheelCore
import ThumbwheelScheduling

// MARK: Preheating

extension PipelineState {
    /// What one caching manager wants to have ready.
    struct Window {
        var allowsHighQuality = true
        var entries = WindowEntries()
        /// What of it lies in the cache.
        var readyCount = 0
        var readyByteCount = 0
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

    /// Adds renditions to a window; for those already in it only the urgency changes.
    package mutating func startCaching(
        _ entries: [(key: RenditionKey, work: RenderWork, urgency: Double)], in window: Int, at now: MonotonicTime
    ) {
        guard !isClosed, let allowsHighQuality = windows[window]?.allowsHighQuality else { return }
        for (key, work, urgency) in entries.lazy.map({ ($0, $1, JobRank.ordered($2)) }) {
            guard work.remoteByteCount == nil || configuration.fetchLimit > 0 else { continue }
            if let entry = windows[window]!.entries[key] {
                guard entry.urgency != urgency else { continue }
                windows[window]!.entries.setUrgency(urgency, of: key)
                changeClaim(on: entry.held, from: Claim(window, entry.urgency), to: Claim(window, urgency))
                continue
            }
            lastSequence += 1
            let entry = WindowEntries.Entry(
                key: key, held: preferredKey(for: key, allowsHighQuality: allowsHighQuality), work: work,
                urgency: urgency, sequence: lastSequence)
            windows[window]!.entries.add(entry, allowingHighQuality: allowsHighQuality)
            hold(entry, for: window)
        }
        dispatch(at: now)
    }

    package mutating func stopCaching(_ keys: [RenditionKey], in window: Int, at now: MonotonicTime) {
        for key in keys {
            removeEntry(key, from: window)
        }
        dispatch(at: now)
    }

    /// Gives up what a window tracks, what was started first before all else: that is what would run next.
    ///
    /// - Parameter limit: how many entries go at once.
    /// - Returns: whether none is left.
    @discardableResult
    package mutating func stopCachingAll(in window: Int, atMost limit: Int = .max, at now: MonotonicTime) -> Bool {
        var count = 0
        while let entry = oldestEntry(of: window), count < limit {
            count += 1
            removeEntry(entry.key, from: window)
        }
        dispatch(at: now)
        return oldestEntry(of: window) == nil
    }

    /// Switches what a window's work makes: what high-quality requests need, or only what fast ones do.
    ///
    /// - Returns: as `adjustQuality`, which goes on with it.
    @discardableResult
    package mutating func setAllowsHighQuality(
        _ allows: Bool, in window: Int, atMost limit: Int = .max, at now: MonotonicTime
    ) -> Bool {
        windows[window]?.allowsHighQuality = allows
        return adjustQuality(in: window, atMost: limit, at: now)
    }

    /// Has the entries of a window made as its switch says that were made otherwise.
    ///
    /// - Parameter limit: how many change at once.
    /// - Returns: whether none is left.
    package mutating func adjustQuality(in window: Int, atMost limit: Int = .max, at now: MonotonicTime) -> Bool {
        guard let allows = windows[window]?.allowsHighQuality else { return true }
        var count = 0
        while let entry = windows[window]!.entries.oldest(allowingHighQuality: !allows), count < limit {
            count += 1
            var changed = entry
            changed.held = preferredKey(for: entry.key, allowsHighQuality: allows)
            windows[window]!.entries.hold(changed.held, for: entry.key, allowingHighQuality: allows)
            guard changed.held != entry.held else { continue }
            // Held before the other is let go: nothing falls between the two.
            hold(changed, for: window)
            loosen(entry, of: window)
        }
        dispatch(at: now)
        return windows[window]!.entries.oldest(allowingHighQuality: !allows) == nil
    }

    mutating func removeEntry(_ key: RenditionKey, from window: Int) {
        guard let entry = windows[window]?.entries.remove(key) else { return }
        emit(.releaseWork(entry.work))
        loosen(entry, of: window)
    }

    /// What all windows track, in the order in which they were opened.
    package var cachingWindows: [CachingWindow] { windows.keys.sorted().map { CachingWindow(windows[$0]!) } }

    /// What one window tracks.
    package func cachingWindow(_ window: Int) -> CachingWindow? { windows[window].map { CachingWindow($0) } }

    private func preferredKey(for key: RenditionKey, allowsHighQuality: Bool) -> RenditionKey {
        allowsHighQuality || cache.contains(key) ? key : key.with(.fast)
    }

    private func oldestEntry(of window: Int) -> WindowEntries.Entry? {
        guard let entries = windows[window]?.entries else { return nil }
        return entries.oldest(allowingHighQuality: true) ?? entries.oldest(allowingHighQuality: false)
    }
}

extension CachingWindow {
    init(_ window: PipelineState.Window) {
        self.init(
            imageCount: window.entries.count, readyCount: window.readyCount, readyByteCount: window.readyByteCount,
            allowsHighQuality: window.allowsHighQuality)
    }
}
