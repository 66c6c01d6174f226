import ThumbwheelCore
import ThumbwheelScheduling

// MARK: What the budget is spent on

extension PipelineState {
    /// Puts a finished rendition into the store, if there is room for it: at the hot end where somebody waits for it, else
    /// at the cold one. Renditions that are made for a window and that nobody has seen go in order of urgency, so that the
    /// last one made, the farthest away, is the first to be given up.
    mutating func keep(_ shared: SharedImage, for job: Job) {
        let (facts, key) = (shared.facts, job.key)
        let isWanted = !job.subscribers.isEmpty
        let isVisible = job.subscribers.inOrder.contains { requests[$0]?.priority == .userInitiated }
        let isKept = configuration.keepsRenditions && job.isForKeeping && key.kind != .original
        // A visible image is held by its receiver and so paid for here, whether or not there is room.
        guard isKept, makeRoom(for: facts.byteCount, includingHeld: isVisible) || isVisible else {
            if !isWanted { accounts.renderWasted(milliseconds: facts.renderMilliseconds) }
            return
        }
        let departed = store.insert(shared, for: key, isHeld: windows.isHeld(key), isUsed: isWanted)
        windows.noteReady(key, isReady: true, byteCount: facts.byteCount)
        accounts.imageInserted(cachedByteCount: store.cachedByteCount)
        noteDeparted(departed)
        // Nothing final is made of a preview.
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

    /// Makes room for a job's output and working memory; false where it has to wait.
    ///
    /// Work for windows gives up nothing that windows hold, so that one too large for the budget does not eat itself. Of
    /// the work that somebody waits for, one job always may proceed, whatever it takes.
    mutating func makeRoom(forRunning job: Job, from source: RenderSource) -> Bool {
        let rank = renders.rank(of: job.id)
        let byteCount = predictedByteCount(of: job, from: source)
        if makeRoom(for: byteCount, rank: rank) { return true }
        guard !rank.isSpeculative, renders.runningCount == 0 else { return false }
        giveUpAll(untilFitting: byteCount)
        return true
    }

    /// Output and working memory, as far as is known by now; of the decode, where others share it.
    func predictedByteCount(of job: Job, from source: RenderSource, sharing decode: SharedDecode? = nil) -> Int {
        if source.input != nil, job.key.encoding == nil { return job.work.resamplingByteCount }
        return renders.predictedByteCount(of: job.work, for: job.kind, sharing: decode)
    }

    /// Makes room for the bytes of a fetch; returns false if the fetch has to wait. A speculative fetch needs room for
    /// its render as well, or its bytes could wait for that forever. A single file may exceed the budget if nothing
    /// else runs.
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

    /// Evicts until `byteCount` bytes fit. Evicts nothing if they would not fit even then, because everything evicted
    /// in vain would be made or fetched again and again.
    private mutating func makeRoom(for byteCount: Int, includingHeld: Bool, includingFetched: Bool = false) -> Bool {
        guard store.shortage(for: byteCount) > 0 else { return true }
        let lack = store.lack(for: byteCount, includingHeld: includingHeld)
        guard lack == 0 || includingFetched && lack <= spareFetchedByteCount else { return false }
        noteDeparted(store.evict(untilFitting: byteCount, includingHeld: includingHeld))
        if includingFetched { giveUpFetchedBytes(untilFitting: byteCount) }
        return true
    }

    /// For the one that always may proceed: whatever does not fit beside it goes.
    private mutating func giveUpAll(untilFitting byteCount: Int) {
        noteDeparted(store.evict(untilFitting: byteCount, includingHeld: true))
        giveUpFetchedBytes(untilFitting: byteCount)
    }

    // MARK: When memory is short

    /// Changes the limit and gives up what no longer fits, in the order of eviction.
    package mutating func setBudget(_ byteCount: Int, at now: MonotonicTime) {
        noteDeparted(store.setBudget(byteCount))
        giveUpFetchedBytes(untilFitting: 0)
        dispatch(at: now)
    }

    /// Gives up what the pressure asks for, now and at each repetition; as it falls, work goes on.
    ///
    /// At `critical` the limit is 0: then whatever is awaited is made alone, and nothing is made ahead, or kept for longer
    /// than its receivers hold it.
    package mutating func setMemoryPressure(
        _ level: MemoryPressure, from source: MemoryPressureSource, at now: MonotonicTime
    ) {
        noteDeparted(store.setPressure(level, from: source))
        giveUpFetchedBytes(untilFitting: 0)
        dispatch(at: now)
    }

    /// How short memory is by the word of one source.
    package func memoryPressure(of source: MemoryPressureSource) -> MemoryPressure { store.pressureLevel(of: source) }

    // MARK: Colder tiers

    /// How far from the cold end an image is looked for.
    private static let coldestCount = 16

    /// Has the coldest image of a tier packed for the next colder one, as long as the tier takes more than its share of the
    /// budget.
    ///
    /// What is packed lies behind all bitmaps, in their order: together they are one true LRU, whose cold part takes less
    /// room and a moment longer to come back.
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

    /// - Returns: whether an image is on its way.
    private mutating func pack(from warmer: MemoryTier, into tier: MemoryTier) -> Bool {
        guard store.isBeyondShare(warmer), let coldest = store.coldestToPack(in: warmer, among: Self.coldestCount) else {
            return false
        }
        let rank = JobRank(
            priority: .background, stage: .final, isSpeculative: true, isStoppable: true, urgency: 0, sequence: 0)
        // What makes room may be the very bitmap; then it is the next one's turn.
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

    /// A worker reports how packing ended: the image makes way for what is smaller, unless somebody has asked for it since.
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
            // The packed pixels can serve renditions that the image itself could not.
            unparkWhatNeedsNoBytes(of: key.subject)
        // It does not get smaller, and would be the next to be tried.
        case .notSmaller, .failed: noteDeparted(store.remove(packing.input.key))
        case .stopped: break
        }
    }
}

extension RenderInput {
    /// What packing reserves for its output.
    fileprivate func byteCount(packedFor tier: MemoryTier) -> Int {
        tier.expectedByteCount(of: shared.facts.byteCount)
    }
}
