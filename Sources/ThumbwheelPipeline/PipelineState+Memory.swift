import ThumbwheelCore
import ThumbwheelScheduling

// MARK: What the budget is spent on

extension PipelineState {
    /// Puts a finished rendition into the store, if there is room for it: at the hot end if a request waits for it, otherwise
    /// at the cold end. Renditions for windows are made in order of urgency, so among those that nobody has seen, the last one
    /// made, which is the farthest away, is the first to be given up.
    mutating func keep(_ shared: SharedImage, for job: Job) {
        let (facts, key) = (shared.facts, job.key)
        let isWanted = !job.subscribers.isEmpty
        let isVisible = job.subscribers.inOrder.contains { requests[$0]?.priority == .userInitiated }
        let isKept = configuration.keepsRenditions && job.isForKeeping && key.kind != .original
        // A visible image is kept whether or not there is room: its receiver holds it anyway, so the budget has to count its
        // bytes.
        guard isKept, makeRoom(for: facts.byteCount, includingHeld: isVisible) || isVisible else {
            if !isWanted { accounts.renderWasted(milliseconds: facts.renderMilliseconds) }
            return
        }
        let departed = store.insert(shared, for: key, isHeld: windows.isHeld(key), isUsed: isWanted)
        windows.noteReady(key, isReady: true, byteCount: facts.byteCount)
        accounts.imageInserted(cachedByteCount: store.cachedByteCount)
        noteDeparted(departed)
        // A preview frees no job from waiting for bytes, because no final rendition is made of a preview.
        if key.kind != .preview { unparkWhatNeedsNoBytes(of: key.subject) }
    }

    /// Records renditions that have left the store: counts them, updates the windows and releases the images.
    mutating func noteDeparted(_ departed: some Sequence<DepartedRendition>) {
        for rendition in departed { noteDeparted(rendition) }
    }

    mutating func noteDeparted(_ rendition: DepartedRendition?) {
        guard let rendition else { return }
        if rendition.isEvicted { accounts.imageEvicted(byteCount: rendition.byteCount) }
        if !rendition.wasUsed { accounts.renderWasted(milliseconds: rendition.image.facts.renderMilliseconds) }
        if rendition.tier.isReady {
            windows.noteReady(rendition.key, isReady: false, byteCount: rendition.byteCount)
        }
        emit(.release(.image(rendition.image)))
    }

    // MARK: Room

    /// Makes room for a job's output and working memory; returns false if the job has to wait.
    ///
    /// Work for windows gives up nothing that windows hold, so that a window too large for the budget does not evict its own
    /// images. If a request waits for the job and no other render runs, the job may proceed whatever memory it takes.
    mutating func makeRoom(forRunning job: Job, from source: RenderSource) -> Bool {
        let rank = renders.rank(of: job.id)
        let byteCount = predictedByteCount(of: job, from: source)
        if makeRoom(for: byteCount, rank: rank) { return true }
        guard !rank.isSpeculative, renders.runningCount == 0 else { return false }
        giveUpAll(untilFitting: byteCount)
        return true
    }

    /// The bytes of output and working memory that a job is predicted to take; if other jobs share its decode, the bytes for
    /// all of them.
    func predictedByteCount(of job: Job, from source: RenderSource, sharing decode: SharedDecode? = nil) -> Int {
        if source.input != nil, job.key.encoding == nil { return job.work.resamplingByteCount }
        return renders.predictedByteCount(of: job.work, for: job.kind, sharing: decode)
    }

    /// Makes room for the bytes of a fetch; returns false if the fetch has to wait. A speculative fetch needs room for its
    /// render as well, because otherwise its bytes could wait forever for that room. A single file may exceed the budget if
    /// nothing else runs.
    mutating func makeRoom(forFetching fetch: Fetch, rank: JobRank) -> Bool {
        let byteCount = fetches.expectedByteCount(of: fetch)
        guard !rank.isSpeculative else {
            let (sum, overflows) = byteCount.addingReportingOverflow(
                renders.predictedByteCount(of: fetch.work, for: .high))
            return !overflows && makeRoom(for: sum, rank: rank)
        }
        if makeRoom(for: byteCount, rank: rank) { return true }
        guard renders.runningCount == 0, store.budget.usedByteCount(for: .fetching) == spareFetchedByteCount else {
            return false
        }
        giveUpAll(untilFitting: byteCount)
        return true
    }

    mutating func makeRoom(for byteCount: Int, rank: JobRank) -> Bool {
        makeRoom(
            for: byteCount, includingHeld: rank.priority == .userInitiated, includingFetched: !rank.isSpeculative)
    }

    /// Evicts until `byteCount` bytes fit. Evicts nothing if the bytes would not fit even then, because everything evicted in
    /// vain would be made or fetched again and again.
    private mutating func makeRoom(for byteCount: Int, includingHeld: Bool, includingFetched: Bool = false) -> Bool {
        guard store.shortage(for: byteCount) > 0 else { return true }
        let lack = store.lack(for: byteCount, includingHeld: includingHeld)
        guard lack == 0 || includingFetched && lack <= spareFetchedByteCount else { return false }
        noteDeparted(store.evict(untilFitting: byteCount, includingHeld: includingHeld))
        if includingFetched { giveUpFetchedBytes(untilFitting: byteCount) }
        return true
    }

    /// Evicts everything that does not fit beside the one job or fetch that may always proceed.
    private mutating func giveUpAll(untilFitting byteCount: Int) {
        noteDeparted(store.evict(untilFitting: byteCount, includingHeld: true))
        giveUpFetchedBytes(untilFitting: byteCount)
    }

    // MARK: When memory is short

    /// Changes the limit of the budget, and gives up images and fetched bytes that no longer fit, in the order of eviction.
    package mutating func setBudget(_ byteCount: Int, at now: MonotonicTime) {
        noteDeparted(store.setBudget(byteCount))
        giveUpFetchedBytes(untilFitting: 0)
        dispatch(at: now)
    }

    /// Sets the memory pressure and gives up the memory that this level asks for. A repeated call with the same level gives up
    /// memory again; when the pressure falls, waiting work goes on.
    ///
    /// At `critical` the limit is 0: then awaited images are made one at a time, no image is made ahead, and no image is kept
    /// for longer than its receivers hold it.
    package mutating func setMemoryPressure(
        _ level: MemoryPressure, from source: MemoryPressureSource, at now: MonotonicTime
    ) {
        noteDeparted(store.setPressure(level, from: source))
        giveUpFetchedBytes(untilFitting: 0)
        dispatch(at: now)
    }

    /// The memory pressure that one source has reported last.
    package func memoryPressure(of source: MemoryPressureSource) -> MemoryPressure { store.pressureLevel(of: source) }

    // MARK: Colder tiers

    /// The number of images at the cold end of a tier among which an image to pack is looked for.
    private static let coldestCount = 16

    /// Starts to pack the coldest image of a tier for the next colder tier, if the tier takes more than its share of the
    /// budget.
    ///
    /// Packed images are colder than all bitmaps and keep their order. Together, the tiers have one true least-recently-used
    /// order, whose cold part takes fewer bytes and a moment longer to come back.
    mutating func packColdest() {
        guard !configuration.colderTiers.isEmpty, renders.packing == nil, phase == .open, renders.queuedCount == 0,
            renders.hasIdleWorker
        else { return }
        var warmer = MemoryTier.bitmaps
        for tier in configuration.colderTiers.reversed() {
            if pack(from: warmer, into: tier) { return }
            warmer = tier
        }
    }

    /// - Returns: whether a worker has started to pack an image.
    private mutating func pack(from warmer: MemoryTier, into tier: MemoryTier) -> Bool {
        guard store.isBeyondShare(warmer), let coldest = store.coldestToPack(in: warmer, among: Self.coldestCount)
        else {
            return false
        }
        let rank = JobRank(
            priority: .background, stage: .final, isSpeculative: true, isStoppable: true, urgency: 0, sequence: 0)
        // Making room may have evicted the very bitmap that was to be packed; then the next coldest one is packed.
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

    /// Takes a worker's report of how packing ended. The packed image replaces the bitmap, unless a request has asked for the
    /// bitmap since.
    mutating func finish(_ packing: Packing, with outcome: consuming RenderOutcome) {
        store.release(packing.reservation)
        store.endReading(packing.input)
        let coldest = store.coldestToPack(in: packing.input.shared.facts.tier, among: Self.coldestCount)
        guard let coldest, coldest.key == packing.input.key, coldest.shared === packing.input.shared else { return }
        switch outcome {
        case .ended(let results):
            guard case .success(let image)? = results.first else { return }
            let key = packing.input.key
            let shared = SharedImage(image, of: key.subject.asset)
            accounts.bitmapPacked()
            noteDeparted(store.insert(shared, for: key, isHeld: false, isUsed: true))
            // The packed pixels can serve renditions that the bitmap could not.
            unparkWhatNeedsNoBytes(of: key.subject)
        // The image does not get smaller. It is removed, because otherwise it would be the next to be tried again.
        case .notSmaller, .failed: noteDeparted(store.remove(packing.input.key))
        case .stopped: break
        }
    }
}

extension RenderInput {
    /// The bytes that packing reserves for its output.
    fileprivate func byteCount(packedFor tier: MemoryTier) -> Int {
        tier.expectedByteCount(of: shared.facts.byteCount)
    }
}
