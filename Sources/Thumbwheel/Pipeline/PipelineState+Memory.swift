import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelScheduling

// MARK: What the budget is spent on

extension PipelineState {
    /// Puts a finished rendition into the cache, if there is room for it: at the hot end where somebody waits for it, else
    /// at the cold one. What is made for a window without having been seen goes in order of urgency, so that the last
    /// made, the farthest away, is the first to be given up.
    mutating func keep(_ shared: SharedImage, for job: Job) {
        let image = shared.image
        let isWanted = !job.subscribers.isEmpty
        let isHeld = holds[job.key] != nil
        let isVisible = job.subscribers.contains { requests[$0]?.request.priority == .userInitiated }
        let isKept = configuration.keepsRenditions && job.key.kind != .original && image.byteCount <= budget.limit
        guard isKept, makeRoom(for: image.byteCount, includingHeld: isVisible) else {
            if !isWanted { counts.renders.waste(image.renderMilliseconds) }
            return
        }
        _ = budget.reserve(image.byteCount, for: .cache)
        let replaced = cache.insert(
            shared, forKey: job.key, byteCount: image.byteCount, into: isHeld ? .held : .loose,
            at: isWanted ? .hot : .cold, isUsed: isWanted)
        cachedKeys[job.key.subject, default: []].append(job.key)
        noteReady(job.key, isReady: true, byteCount: image.byteCount)
        counts.cache.insertions += 1
        counts.cache.peakByteCount = max(counts.cache.peakByteCount, cache.byteCount)
        if let replaced { letGo(replaced) }
    }

    /// Makes room for a job's output and working memory; false where it has to wait.
    ///
    /// Work for windows gives up nothing that windows hold, so that one too large for the budget does not eat itself. Of
    /// the work that somebody waits for, one job always may proceed, whatever it takes.
    mutating func makeRoom(forRunning job: Job) -> Bool {
        let rank = scheduler.rank(of: job.id)
        let byteCount = job.work.predictedByteCount(for: job.key.kind)
        if makeRoom(for: byteCount, rank: rank) { return true }
        guard !rank.isSpeculative, scheduler.runningCount == 0 else { return false }
        giveUpAll(untilFitting: byteCount)
        return true
    }

    /// Makes room for the bytes that a fetch brings; false where it has to wait. Bytes that nobody waits for need room for
    /// the render too, lest they wait for it for ever. One file may be larger than the budget, alone.
    mutating func makeRoom(forFetching fetch: Fetch, rank: JobRank) -> Bool {
        let byteCount = fetch.work.remoteByteCount!
        guard !rank.isSpeculative else {
            let (sum, overflows) = byteCount.addingReportingOverflow(fetch.work.predictedByteCount(for: .high))
            return !overflows && makeRoom(for: sum, rank: rank)
        }
        if makeRoom(for: byteCount, rank: rank) { return true }
        guard scheduler.runningCount == 0, budget.usedByteCount(for: .fetching) == spareFetchedByteCount else {
            return false
        }
        giveUpAll(untilFitting: byteCount)
        return true
    }

    mutating func makeRoom(for byteCount: Int, rank: JobRank) -> Bool {
        makeRoom(
            for: byteCount, includingHeld: rank.priority == .userInitiated, includingFetched: !rank.isSpeculative)
    }

    /// For the one that always may proceed: whatever does not fit beside it goes.
    private mutating func giveUpAll(untilFitting byteCount: Int) {
        evict(untilFitting: byteCount, includingHeld: true)
        giveUpFetchedBytes(untilFitting: byteCount)
    }

    /// Gives things up until `byteCount` bytes fit; nothing where they would not fit even then, for what is given up in
    /// vain would be made or fetched again, and again.
    private mutating func makeRoom(for byteCount: Int, includingHeld: Bool, includingFetched: Bool = false) -> Bool {
        let shortage = budget.shortage(for: byteCount)
        var spareByteCount = cache.byteCount(of: .loose) + (includingHeld ? cache.byteCount(of: .held) : 0)
        if shortage > spareByteCount, includingFetched { spareByteCount += spareFetchedByteCount }
        guard shortage <= spareByteCount else { return false }
        evict(untilFitting: byteCount, includingHeld: includingHeld)
        if includingFetched { giveUpFetchedBytes(untilFitting: byteCount) }
        return true
    }

    /// Evicts entries prefetched and never seen first, then those outside all windows, the least recently used first,
    /// then, where `includingHeld`, those inside.
    mutating func evict(untilFitting byteCount: Int, includingHeld: Bool) {
        while budget.shortage(for: byteCount) > 0 {
            let loose = cache.evictColdest(of: .loose)
            guard let removed = loose ?? (includingHeld ? cache.evictColdest(of: .held) : nil) else { return }
            evicted(removed)
        }
    }

    /// Evicts what was prefetched, never seen, and is in no window any more.
    mutating func evictUnused() {
        while let removed = cache.evictColdestUnused(of: .loose) { evicted(removed) }
    }

    /// Evicts all that is in no window.
    mutating func evictLoose() {
        while let removed = cache.evictColdest(of: .loose) { evicted(removed) }
    }

    private mutating func evicted(_ removed: LRUCache<RenditionKey, SharedImage>.Removed) {
        counts.cache.evictions += 1
        note(.evicted(byteCount: removed.byteCount))
        letGo(removed)
    }

    private mutating func letGo(_ removed: LRUCache<RenditionKey, SharedImage>.Removed) {
        budget.release(Reservation(byteCount: removed.byteCount, purpose: .cache))
        if !removed.wasUsed { counts.renders.waste(removed.value.image.renderMilliseconds) }
        noteReady(removed.key, isReady: false, byteCount: removed.byteCount)
        let subject = removed.key.subject
        if let index = cachedKeys[subject]?.firstIndex(of: removed.key) {
            cachedKeys[subject]!.remove(at: index)
            if cachedKeys[subject]!.isEmpty { cachedKeys[subject] = nil }
        }
        emit(.release(removed.value))
    }
}
