import ThumbwheelCore
import ThumbwheelScheduling

// MARK: Entering and leaving the cache

extension PipelineState {
    /// Puts a finished rendition into the cache, if there is room for it.
    ///
    /// - A rendition that a request waits for goes to the hot end of the eviction order and is evicted last.
    /// - Any other rendition goes to the cold end and is evicted first. Such renditions are made for caching managers,
    ///   the most urgent first, so the coldest one is the least urgent.
    ///
    /// - Parameter isPaidFor: whether memory was reserved for the rendition while it was made or looked up. If not, it
    ///   is cached only if there is room, even if a request with the priority `.userInitiated` waits for it.
    mutating func cache(_ shared: SharedImage, for job: Job, isPaidFor: Bool = true) {
        let (facts, key) = (shared.facts, job.key)
        let isAwaited = !job.subscribers.isEmpty
        let isVisible = job.subscribers.inOrder.contains { requests[$0]?.priority == .userInitiated }
        let isKept = configuration.keepsRenditions && job.mayBeCached && key.kind != .original
        // If there is no room, an image is cached nevertheless if memory was reserved for it and a request with the
        // priority `.userInitiated` waits for it. The request's receiver holds the image's memory in any case, and the
        // budget counts this memory only while the image is in the cache.
        guard isKept, makeRoom(for: facts.byteCount, includingWanted: isVisible) || isVisible && isPaidFor else {
            if !isAwaited { accounts.renderWasted(milliseconds: facts.renderMilliseconds) }
            return
        }
        let departed = store.insert(
            shared, for: key, isWanted: windows.isWanted(key), isUsed: isAwaited,
            in: requests.budgetShare(of: job.subscribers))
        windows.noteReady(key, isReady: true, byteCount: facts.byteCount)
        accounts.imageInserted(cachedByteCount: store.cachedByteCount)
        noteDeparted(departed)
        // Puts jobs that wait for bytes from the network back into the queue if the new rendition can take the place of
        // the bytes. A preview never can.
        if key.kind != .preview { unparkJobsNeedingNoBytes(of: key.subject) }
    }

    /// Records renditions that have left the store: counts them, tells the caching windows that wanted them, and
    /// releases the images.
    mutating func noteDeparted(_ departed: some Sequence<DepartedRendition>) {
        for rendition in departed { noteDeparted(rendition) }
    }

    mutating func noteDeparted(_ rendition: DepartedRendition?) {
        guard let rendition else { return }
        if let work = unused.remove(rendition.key) { emit(.release(.work(work))) }
        if rendition.isEvicted { accounts.imageEvicted(byteCount: rendition.byteCount) }
        if !rendition.wasUsed { accounts.renderWasted(milliseconds: rendition.image.facts.renderMilliseconds) }
        if rendition.tier.isReady {
            windows.noteReady(rendition.key, isReady: false, byteCount: rendition.byteCount)
        }
        emit(.release(.image(rendition.image)))
    }

    // MARK: Making room in the budget

    /// Makes room for a job's output and working memory; returns false if the job has to wait.
    ///
    /// Only jobs with the priority `.userInitiated` evict renditions that caching managers want. Otherwise a manager
    /// that wants more images than fit into the budget would evict its own images. But work must not stand still. So if
    /// no render runs, any job that a request waits for may evict everything, and starts even if its memory exceeds the
    /// budget.
    mutating func makeRoom(forRunning job: Job, from source: RenderSource) -> Bool {
        let rank = renders.rank(of: job.id)
        let byteCount = predictedByteCount(of: job, from: source)
        if makeRoom(for: byteCount, rank: rank) { return true }
        guard !rank.isSpeculative, !renders.hasRuns else { return false }
        freeMemory(untilFitting: byteCount)
        return true
    }

    /// The bytes of output and working memory that a job is predicted to take; if other jobs share its decode, the
    /// bytes for all of them.
    func predictedByteCount(of job: Job, from source: RenderSource, sharing decode: SharedDecode? = nil) -> Int {
        if source.input != nil, job.key.encoding == nil { return job.work.resamplingByteCount }
        return renders.predictedByteCount(of: job.work, for: job.kind, sharing: decode)
    }

    /// Makes room for the bytes of a fetch; returns false if the fetch has to wait.
    ///
    /// A fetch that only caching managers want starts only if there is room for its bytes and for the render that reads
    /// them. Otherwise the fetched bytes might wait forever for room for the render. A fetch that a request waits for
    /// may exceed the budget, if no render runs and no other fetched bytes are in use.
    mutating func makeRoom(forFetching fetch: Fetch, rank: JobRank) -> Bool {
        let byteCount = fetches.expectedByteCount(of: fetch)
        guard !rank.isSpeculative else {
            let (sum, overflows) = byteCount.addingReportingOverflow(
                renders.predictedByteCount(of: fetch.work, for: .high))
            return !overflows && makeRoom(for: sum, rank: rank)
        }
        if makeRoom(for: byteCount, rank: rank) { return true }
        guard !renders.hasRuns, store.budget.usedByteCount(for: .fetching) == droppableFetchedByteCount else {
            return false
        }
        freeMemory(untilFitting: byteCount)
        return true
    }

    mutating func makeRoom(for byteCount: Int, rank: JobRank) -> Bool {
        makeRoom(
            for: byteCount, includingWanted: rank.priority == .userInitiated, includingFetched: !rank.isSpeculative)
    }

    /// Evicts cached renditions until `byteCount` more bytes fit into the budget. Evicts nothing if that would not make
    /// enough room: renditions evicted in vain would be made or fetched again and again.
    private mutating func makeRoom(for byteCount: Int, includingWanted: Bool, includingFetched: Bool = false) -> Bool {
        guard store.shortage(for: byteCount) > 0 else { return true }
        let shortage = store.shortageAfterEvicting(for: byteCount, includingWanted: includingWanted)
        guard shortage == 0 || includingFetched && shortage <= droppableFetchedByteCount else { return false }
        noteDeparted(store.evict(untilFitting: byteCount, includingWanted: includingWanted))
        if includingFetched { dropFetchedBytes(untilFitting: byteCount) }
        return true
    }

    /// Evicts cached renditions, and then drops fetched bytes, until `byteCount` more bytes fit into the budget. If
    /// nothing is left to drop, the job or fetch that needs the bytes starts nevertheless, and the budget is exceeded.
    mutating func freeMemory(untilFitting byteCount: Int) {
        noteDeparted(store.evict(untilFitting: byteCount, includingWanted: true))
        dropFetchedBytes(untilFitting: byteCount)
    }

    // MARK: Changing the budget

    /// Changes the limit of the budget. Images, and after them fetched bytes, are dropped until the rest fits.
    package mutating func setBudget(_ byteCount: Int, at now: MonotonicTime) {
        noteDeparted(store.setBudget(byteCount))
        dropFetchedBytes(untilFitting: 0)
        dispatch(at: now)
    }

    /// Sets the memory pressure, and frees as much memory as the pressure demands. A repeated call with the same level
    /// frees memory again. When the pressure falls, waiting work goes on.
    ///
    /// At `critical` the limit of the budget is 0. Images that requests wait for are then made one at a time. No image
    /// is made ahead of its request, and no image stays in memory for longer than its receivers hold it.
    package mutating func setMemoryPressure(
        _ level: MemoryPressure, from source: MemoryPressureSource, at now: MonotonicTime
    ) {
        noteDeparted(store.setPressure(level, from: source))
        dropFetchedBytes(untilFitting: 0)
        dispatch(at: now)
    }

    /// The memory pressure that one source has reported last.
    package func memoryPressure(of source: MemoryPressureSource) -> MemoryPressure { store.pressureLevel(of: source) }

    // MARK: Packing images that are seldom used

    /// The number of images, from the least recently used one on, that are looked at to find one to pack (compress
    /// without loss). Not every image can be packed; for example, an image in use cannot.
    private static let coldestCount = 16

    /// Starts to pack (compress without loss) the least recently used image of a memory tier, if the tier exceeds its
    /// share of the budget and a worker is idle. The packed image moves to the next colder tier. It takes fewer bytes
    /// than a bitmap, but must be unpacked before it is delivered.
    ///
    /// Packed images count as less recently used than all bitmaps, and are evicted before them. `MemoryTier.packedTiers`
    /// tells the one exception.
    mutating func packColdest() {
        guard !configuration.packedTiers.isEmpty, renders.packing == nil, phase == .open, renders.queuedCount == 0,
            renders.hasIdleWorker
        else { return }
        var warmer = MemoryTier.bitmaps
        for tier in configuration.packedTiers.reversed() {
            if pack(from: warmer, into: tier) { return }
            warmer = tier
        }
    }

    /// Starts to pack (compress without loss) the least recently used image of the memory tier `warmer`, if that tier
    /// exceeds its share of the budget and there is room for the packed image. The packed image will move to the colder
    /// tier `tier`.
    ///
    /// - Returns: whether a worker has started to pack an image.
    private mutating func pack(from warmer: MemoryTier, into tier: MemoryTier) -> Bool {
        guard store.isBeyondShare(warmer), let coldest = store.coldestToPack(in: warmer, among: Self.coldestCount)
        else {
            return false
        }
        let rank = JobRank(
            priority: .background, stage: .final, isSpeculative: true, isStoppable: true, urgency: 0, sequence: 0)
        // Making room may have evicted the very bitmap that was to be packed. So the coldest bitmap is looked up again.
        guard makeRoom(for: coldest.byteCount(packedFor: tier), rank: rank),
            let input = store.coldestToPack(in: warmer, among: Self.coldestCount),
            store.shortage(for: input.byteCount(packedFor: tier)) == 0
        else { return false }
        let reservation = store.reserve(input.byteCount(packedFor: tier), for: .rendering)
        let (worker, packing) = renders.startPacking(input, into: tier, rank: rank, paidBy: reservation)
        store.beginReading(input)
        emit(
            .start(
                RenderAssignment(
                    worker: worker, job: packing.id, key: input.key, companions: [], work: .nothing,
                    source: .rendition(input), token: packing.token, packingTier: tier)))
        return true
    }

    /// Handles the end of packing (compressing a cached image without loss). If the image is still the least recently
    /// used one of its tier, the packed image takes its place. If a request has used the image in the meantime, it
    /// stays as it is.
    mutating func finish(_ packing: Packing, with outcome: consuming RenderOutcome) {
        store.release(packing.reservation)
        store.endReading(packing.input)
        let coldest = store.coldestToPack(in: packing.input.shared.facts.memoryTier, among: Self.coldestCount)
        guard let coldest, coldest.key == packing.input.key, coldest.shared === packing.input.shared else { return }
        switch outcome {
        case .ended(let results):
            guard case .success(let image)? = results.first else { return }
            let key = packing.input.key
            let shared = SharedImage(image, of: key.subject.asset)
            let share = store.share(of: packing.input)
            accounts.bitmapPacked()
            noteDeparted(store.insert(shared, for: key, isWanted: false, isUsed: true, in: share))
            // Puts jobs that wait for bytes from the network back into the queue if they can use the packed image. Some
            // of these jobs could not use the bitmap. For example, a job for a `.fast` rendition uses a bitmap of the
            // kind `.high` by resampling it. A bitmap that has been resampled before is not resampled again, because
            // quality is lost each time. But the packed image need only be unpacked.
            unparkJobsNeedingNoBytes(of: key.subject)
        // The image could not be packed into fewer bytes. It is removed from the cache; otherwise the pipeline would at
        // once try again to pack it.
        case .notSmaller, .failed, .lackingBytes: noteDeparted(store.remove(packing.input.key))
        case .stopped: break
        }
    }
}

extension RenderInput {
    /// The bytes that are reserved for the packed image while a bitmap is packed (compressed in memory) for a colder
    /// tier of the cache.
    fileprivate func byteCount(packedFor tier: MemoryTier) -> Int {
        tier.expectedByteCount(of: shared.facts.byteCount)
    }
}
