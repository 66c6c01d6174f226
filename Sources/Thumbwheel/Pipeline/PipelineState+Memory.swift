import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelScheduling

// MARK: What the budget is spent on

extension PipelineState {
    /// Changes the limit and gives up what no longer fits, in the order of the design's rule 5.
    package mutating func setBudget(_ byteCount: Int) {
        budget.setLimit(byteCount)
        _ = makeRoom(for: 0, includingHeld: true)
        counts.cache.peakByteCount = max(counts.cache.peakByteCount, cache.byteCount)
    }

    /// Puts a finished rendition into the cache, if there is room for it: at the hot end where somebody waits for it.
    mutating func keep(_ image: PipelineImage, for job: Job) {
        let isWanted = !job.subscribers.isEmpty
        let isHeld = holds[job.key] != nil
        guard configuration.keepsRenditions, image.byteCount <= budget.limit else { return }
        guard makeRoom(for: image.byteCount, includingHeld: isWanted) else { return }
        _ = budget.reserve(image.byteCount, for: .cache)
        let replaced = cache.insert(
            image, forKey: job.key, byteCount: image.byteCount, into: isHeld ? .held : .loose,
            at: isWanted || isHeld ? .hot : .cold)
        cachedKeys[job.key.subject, default: []].append(job.key)
        counts.cache.insertions += 1
        counts.cache.peakByteCount = max(counts.cache.peakByteCount, cache.byteCount)
        if let replaced { letGo(replaced) }
    }

    /// Makes room for a job's output and working memory. Work for windows gives up nothing that windows hold, so that
    /// one too large for the budget does not eat itself. One visible job always may proceed.
    mutating func makeRoom(forRunning job: Job) -> Bool {
        let isVisible = scheduler.rank(of: job.id).priority == .userInitiated
        if makeRoom(for: job.work.predictedByteCount(for: job.key.kind), includingHeld: isVisible) { return true }
        return scheduler.runningCount == 0 && (isVisible || cache.byteCount(of: .held) == 0)
    }

    /// Evicts until `byteCount` bytes fit: entries prefetched and never seen first, then those outside all windows, the
    /// least recently used first, then, where `includingHeld`, those inside.
    private mutating func makeRoom(for byteCount: Int, includingHeld: Bool) -> Bool {
        let held = includingHeld ? cache.byteCount(of: .held) : 0
        guard budget.shortage(for: byteCount) <= cache.byteCount(of: .loose) + held else { return false }
        while budget.shortage(for: byteCount) > 0 {
            guard let removed = cache.evictColdest(of: .loose) ?? cache.evictColdest(of: .held) else { return false }
            counts.cache.evictions += 1
            letGo(removed)
        }
        return true
    }

    private mutating func letGo(_ removed: LRUCache<RenditionKey, PipelineImage>.Removed) {
        budget.release(Reservation(byteCount: removed.byteCount, purpose: .cache))
        let subject = removed.key.subject
        if let index = cachedKeys[subject]?.firstIndex(of: removed.key) {
            cachedKeys[subject]!.remove(at: index)
            if cachedKeys[subject]!.isEmpty { cachedKeys[subject] = nil }
        }
        emit(.release(removed.value))
    }
}
