import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelScheduling

// MARK: What the budget is spent on

extension PipelineState {
    /// So many cached images that receivers hold are passed over in the search for one that nobody does.
    private static let passedOverLimit = 256

    /// Puts a finished rendition into the cache, if there is room for it: at the hot end where somebody waits for it, else
    /// at the cold one. What is made for a window without having been seen goes in order of urgency, so that the last
    /// made, the farthest away, is the first to be given up.
    mutating func keep(_ shared: SharedImage, for job: Job) {
        let image = shared.image
        let isWanted = !job.subscribers.isEmpty
        let isHeld = holds[job.key] != nil
        let isVisible = job.subscribers.inOrder.contains { requests[$0]?.priority == .userInitiated }
        let isKept = configuration.keepsRenditions && job.isForKeeping && job.key.kind != .original
        // What goes on screen is held there, and paid for here, whether or not there is room.
        guard isKept, makeRoom(for: image.byteCount, includingHeld: isVisible) || isVisible else {
            if !isWanted { counts.renders.waste(image.renderMilliseconds) }
            return
        }
        _ = budget.reserve(image.byteCount, for: .cache)
        let replaced = cache.insert(
            shared, forKey: job.key, byteCount: image.byteCount, into: isHeld ? .held : .loose,
            at: isWanted ? .hot : .cold, isUsed: isWanted)
        cachedRenditions[job.key.subject.asset, default: CachedRenditions()].insert(job.key, shared)
        noteReady(job.key, isReady: true, byteCount: image.byteCount)
        counts.cache.insertions += 1
        counts.cache.peakByteCount = max(counts.cache.peakByteCount, cache.byteCount)
        if let replaced { letGo(replaced) }
        if let replaced = packed.remove(job.key) { letGo(replaced) }
        // Nothing final is made of a preview.
        if job.key.kind != .preview { unparkWhatNeedsNoBytes(of: job.key.subject) }
    }

    /// Makes room for a job's output and working memory; false where it has to wait.
    ///
    /// Work for windows gives up nothing that windows hold, so that one too large for the budget does not eat itself. Of
    /// the work that somebody waits for, one job always may proceed, whatever it takes.
    mutating func makeRoom(forRunning job: Job) -> Bool {
        let rank = scheduler.rank(of: job.id)
        let byteCount = predictedByteCount(of: job)
        if makeRoom(for: byteCount, rank: rank) { return true }
        guard !rank.isSpeculative, scheduler.runningCount == 0 else { return false }
        giveUpAll(untilFitting: byteCount)
        return true
    }

    /// Output and working memory, as far as is known by now; of the decode, where others share it.
    func predictedByteCount(of job: Job, _ decode: SharedDecode? = nil) -> Int {
        if decode == nil, job.key.encoding == nil, input(for: job.key, job.work) != nil {
            return job.work.resamplingByteCount
        }
        return predictedByteCount(of: job.work, for: job.key.kind, decode)
    }

    private func predictedByteCount(
        of work: RenderWork, for kind: RenditionKey.Kind, _ decode: SharedDecode? = nil
    ) -> Int {
        let alone = memoryPredictions.corrected(
            decode?.predictedByteCount ?? work.predictedByteCount(for: kind), of: work.memoryClass(for: kind))
        // Who is to help must be idle when the render begins.
        guard kind != .preview, scheduler.runningCount + 1 < configuration.workerCount else { return alone }
        let (sum, overflows) = alone.addingReportingOverflow(work.assistanceByteCount)
        return overflows ? alone : sum
    }

    /// Learns from a render by the decoder that was expected.
    mutating func correctPrediction(
        for job: Job, _ run: Job.Run, with results: [Result<PipelineImage, ImageRequestError>], measured: Int
    ) {
        guard let memoryClass = job.work.memoryClass(for: job.key.kind),
            case .success(let image)? = results.first, image.decoder == memoryClass.decoder
        else { return }
        let predicted = run.decode?.predictedByteCount ?? job.work.predictedByteCount(for: job.key.kind)
        memoryPredictions.correct(memoryClass, predicted: predicted, measured: measured)
    }

    /// Makes room for the bytes that a fetch brings; false where it has to wait. Bytes that nobody waits for need room for
    /// the render too, lest they wait for it for ever. One file may be larger than the budget, alone.
    mutating func makeRoom(forFetching fetch: Fetch, rank: JobRank) -> Bool {
        let byteCount = expectedByteCount(of: fetch)
        guard !rank.isSpeculative else {
            let (sum, overflows) = byteCount.addingReportingOverflow(predictedByteCount(of: fetch.work, for: .high))
            return !overflows && makeRoom(for: sum, rank: rank)
        }
        if makeRoom(for: byteCount, rank: rank) { return true }
        guard scheduler.runningCount == 0, budget.usedByteCount(for: .fetching) == spareFetchedByteCount else {
            return false
        }
        giveUpAll(untilFitting: byteCount)
        return true
    }

    /// The length to expect of a file that has yet to be fetched, in bytes. A file above the byte limit counts as 0: it
    /// is refused before its first byte is fetched. A file of unknown length counts as long as `noteUnknownLength` expects.
    func expectedByteCount(of fetch: Fetch) -> Int {
        let byteCount = fetch.work.remoteByteCount!
        if byteCount > configuration.fetchByteLimit { return 0 }
        return byteCount > 0 ? byteCount : min(unknownByteCount, configuration.fetchByteLimit)
    }

    /// Learns from a file of unknown length that has come: a longer one is expected at once, and shorter ones bring the
    /// expectation down by and by.
    mutating func noteUnknownLength(_ byteCount: Int) {
        let excess = max(0, unknownByteCount - byteCount)
        unknownByteCount = max(byteCount, unknownByteCount - excess / 4)
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
        guard shortage > 0 else { return true }
        var spareByteCount = gather(shortage, includingHeld: includingHeld)
        if shortage > spareByteCount, includingFetched { spareByteCount += spareFetchedByteCount }
        guard shortage <= spareByteCount else { return false }
        evict(untilFitting: byteCount, includingHeld: includingHeld)
        if includingFetched { giveUpFetchedBytes(untilFitting: byteCount) }
        return true
    }

    /// Evicts entries prefetched and never seen first, then those outside all windows, the least recently used first, which
    /// are the packed ones, then, where `includingHeld`, those inside. What receivers hold stays: it would take its memory
    /// with it.
    mutating func evict(untilFitting byteCount: Int, includingHeld: Bool) {
        while packed.count > 0, budget.shortage(for: byteCount) > 0,
            let removed = cache.evictColdestUnused(of: .loose) ?? evictColdestPacked()
        {
            evicted(removed)
        }
        for segment in includingHeld ? [Cache.Segment.loose, .held] : [.loose] {
            let shortage = budget.shortage(for: byteCount)
            guard shortage > 0 else { return }
            evict(gather(shortage, of: segment), of: segment)
        }
    }

    /// Memory is short, and what is kept beyond the limit has been let go of by those who held it.
    mutating func evictExcess() {
        evict(untilFitting: 0, includingHeld: true)
    }

    /// Evicts what was prefetched, never seen, and is in no window any more.
    mutating func evictUnused() {
        while let removed = cache.evictColdestUnused(of: .loose) { evicted(removed) }
    }

    /// Evicts all that is in no window, and in nobody's hands.
    mutating func evictLoose() {
        while let removed = evictColdestPacked() { evicted(removed) }
        evict(gather(.max, of: .loose), of: .loose)
    }

    /// Bytes that can be evicted, up to `byteCount` or a little more.
    private mutating func gather(_ byteCount: Int, includingHeld: Bool) -> Int {
        var gathered = gatherPacked(byteCount)
        for segment in includingHeld ? [Cache.Segment.loose, .held] : [.loose] where gathered < byteCount {
            gathered += gather(byteCount - gathered, of: segment)
        }
        return gathered
    }

    private mutating func gather(_ byteCount: Int, of segment: Cache.Segment) -> Int {
        onTheWay.forgetLastEvent()
        let (onTheWay, imagesBeingRead) = (onTheWay, imagesBeingRead)
        return cache.gather(byteCount, of: segment, passingOverAtMost: Self.passedOverLimit) { image in
            !image.isHeldByReceivers && !onTheWay.contains(image) && !imagesBeingRead.contains { $0 === image }
        }
    }

    private mutating func gatherPacked(_ byteCount: Int) -> Int {
        let imagesBeingRead = imagesBeingRead
        return packed.gather(byteCount, of: .loose, passingOverAtMost: imagesBeingRead.count) { image in
            !imagesBeingRead.contains { $0 === image }
        }
    }

    private mutating func evictColdestPacked() -> Cache.Removed? {
        gatherPacked(1) > 0 ? packed.evictColdest(of: .loose) : nil
    }

    /// Whether evicting it would give no memory back, so that the budget pays for it all the same.
    func isInUse(_ image: SharedImage) -> Bool {
        image.isHeldByReceivers || onTheWay.contains(image) || imagesBeingRead.contains { $0 === image }
    }

    /// Evicts the coldest entries, of which `byteCount` bytes have been gathered.
    private mutating func evict(_ byteCount: Int, of segment: Cache.Segment) {
        var rest = byteCount
        while rest > 0, let removed = cache.evictColdest(of: segment) {
            rest -= removed.byteCount
            evicted(removed)
        }
    }

    private mutating func evicted(_ removed: Cache.Removed) {
        counts.cache.evictions += 1
        note(.evicted(byteCount: removed.byteCount))
        letGo(removed)
    }

    mutating func letGo(_ removed: Cache.Removed) {
        let isPacked = removed.value.image.isPacked
        budget.release(Reservation(byteCount: removed.byteCount, purpose: isPacked ? .packed : .cache))
        if !removed.wasUsed { counts.renders.waste(removed.value.image.renderMilliseconds) }
        if !isPacked { noteReady(removed.key, isReady: false, byteCount: removed.byteCount) }
        removeFromIndex(removed)
        emit(.release(removed.value))
    }

    mutating func removeFromIndex(_ removed: Cache.Removed) {
        let asset = removed.key.subject.asset
        cachedRenditions[asset]?.remove(removed.value)
        if cachedRenditions[asset]?.isEmpty ?? false { cachedRenditions[asset] = nil }
    }
}
