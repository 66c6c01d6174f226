import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelScheduling

// MARK: The warm tier

extension PipelineState {
    /// A cached bitmap on its way to fewer bytes: one at a time, on a worker that has nothing else to do.
    struct Packing {
        let id: JobID
        let input: RenderInput
        let token: CancellationToken
        let reservation: Reservation
    }

    /// How far from the cold end a bitmap is looked for: what was never used, previews and files are passed over.
    private static let coldestCount = 16

    /// Has the coldest bitmap packed, as long as bitmaps take more than half of the budget.
    ///
    /// What is packed lies behind all bitmaps, in their order: together they are one true LRU, whose cold part takes less
    /// room and a moment longer to come back.
    mutating func packColdest() {
        guard configuration.packsRenditions, packing == nil, !isClosed, scheduler.queuedCount == 0,
            scheduler.runningCount < scheduler.workerCount, cache.byteCount > budget.limit / 2,
            let coldest = coldestToPack
        else { return }
        let rank = JobRank(
            priority: .background, stage: .final, isSpeculative: true, isStoppable: true, urgency: 0, sequence: 0)
        // What makes room may be the very bitmap; then it is the next one's turn.
        guard makeRoom(for: packedByteCount(of: coldest), rank: rank), let key = coldestToPack,
            budget.shortage(for: packedByteCount(of: key)) == 0
        else { return }
        let input = RenderInput(key, cache.peek(key)!)
        let id = scheduler.add(rank: rank)
        let worker = scheduler.start(id)
        let packing = Packing(
            id: id, input: input, token: CancellationToken(),
            reservation: budget.reserve(packedByteCount(of: key), for: .rendering))
        self.packing = packing
        beginReading(input)
        emit(
            .start(
                RenderAssignment(
                    worker: worker, job: id, key: key, companions: [], work: .nothing, input: input, bytes: nil,
                    token: packing.token, isPacking: true)))
    }

    /// What packing reserves for its output.
    private func packedByteCount(of key: RenditionKey) -> Int { cache.peek(key)!.image.byteCount / 3 * 2 }

    private var coldestToPack: RenditionKey? {
        cache.coldest(of: .loose, among: Self.coldestCount) { key, shared, wasUsed in
            wasUsed && key.encoding == nil && key.kind != .preview && shared.bitmap?.format != .rgba
                && !isInUse(shared)
        }
    }

    /// A worker reports how packing ended: the bitmap makes way for what is smaller, unless somebody has asked for it since.
    mutating func finishPacking(with outcome: RenderOutcome) {
        let packing = packing.take()!
        scheduler.finish(packing.id)
        budget.release(packing.reservation)
        let key = packing.input.key
        endReading(packing.input)
        let isStillColdest = cache.peek(key) === packing.input.shared && coldestToPack == key
        guard isStillColdest else { return }
        switch outcome {
        case .ended(let results):
            guard case .success(let image)? = results.first, let removed = cache.remove(key) else { return }
            budget.release(Reservation(byteCount: removed.byteCount, purpose: .cache))
            _ = budget.reserve(image.byteCount, for: .packed)
            let shared = SharedImage(image, of: key.subject.asset)
            removeFromIndex(removed)
            cachedRenditions[key.subject.asset, default: CachedRenditions()].insert(key, shared)
            _ = packed.insert(
                shared, forKey: key, byteCount: image.byteCount, into: .loose, at: .hot, isUsed: true)
            counts.cache.packed += 1
            emit(.release(removed.value))
            // The packed pixels can serve renditions that the bitmap itself could not.
            unparkWhatNeedsNoBytes(of: key.subject)
        // It does not get smaller, and would be the next to be tried.
        case .failed: if let removed = cache.remove(key) { letGo(removed) }
        case .stopped: break
        }
    }

    /// The packed pixels of a rendition, or of the one in high quality where that is not asked for.
    func packedRendition(_ key: RenditionKey) -> RenderInput? {
        guard packed.count > 0 else { return nil }
        if let shared = packed.peek(key) { return RenderInput(key, shared) }
        guard key.kind == .fast else { return nil }
        return packed.peek(key.with(.high)).map { RenderInput(key.with(.high), $0) }
    }
}
