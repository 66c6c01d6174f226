import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelLocks

/// Changes a caching window, the list of images that one caching manager prepares. A change with a long list is made in
/// steps of a few assets. So it does not delay its caller, and does not hold the pipeline's lock for long. The first
/// step is made at once on the caller's thread, and all further steps on an executor.
///
/// Changes take effect in the order in which they were made.
final class WindowFeeder: Sendable {
    /// A change of the window. Each call carries out the next step of the change, and returns whether that was the last
    /// step.
    private typealias Change = @Sendable () -> Bool

    private struct State {
        var changes: [Change] = []
        /// Whether any change is unfinished. This includes changes that wait, and the time between two steps of a
        /// change.
        var isFeeding = false
        /// The number of changes so far that made all earlier changes pointless; see the parameter `isLast` of `make`.
        /// If this number goes up while a step of an earlier change runs, the earlier change is not continued.
        var epoch = 0
    }

    /// The number of images of the window that are added, removed or adapted in one step, while the pipeline's lock is
    /// held. One step takes a tenth of a millisecond.
    static let pieceLength = 64

    let number: Int
    private let pipeline: ImagePipeline
    private let executor: DeliveryExecutor
    private let state = Mutex(State())

    init(_ pipeline: ImagePipeline, executor: DeliveryExecutor) {
        self.pipeline = pipeline
        self.executor = executor
        number = pipeline.apply { state, _ in state.addWindow() }
    }

    var window: CachingWindow { pipeline.read { [number] in $0.cachingWindow(number)! } }

    /// Queues a change that passes `assets` to `body`, a few at a time. The indices of each slice are those of the
    /// whole list.
    func feed(
        _ assets: FetchResult<Asset>,
        into body: @escaping @Sendable (ImagePipeline, Int, Slice<FetchResult<Asset>>) -> Void
    ) {
        let next = Mutex(0)
        make { [pipeline, number] in
            let start = next.withLock { next in
                defer { next += Self.pieceLength }
                return next
            }
            let end = min(start + Self.pieceLength, assets.count)
            body(pipeline, number, Slice(base: assets, bounds: start..<end))
            return end == assets.count
        }
    }

    /// Makes a change that is small enough to be made in one step. It is made after all earlier changes.
    func make(small change: @escaping @Sendable (inout PipelineState, MonotonicTime) -> Void) {
        make { [pipeline] in
            pipeline.apply(change)
            return true
        }
    }

    /// Whether no change is waiting or being made.
    var isIdle: Bool { state.withLock { !$0.isFeeding } }

    func stopAll() {
        make(isLast: true) { [pipeline, number] in
            pipeline.apply { $0.stopCachingAll(in: number, atMost: Self.pieceLength, at: $1) }
        }
    }

    /// Sets whether the window prepares images in high quality. Images that are added later follow the new setting.
    /// Images that are already in the window are adapted to it a few at a time.
    func setAllowsHighQuality(_ allows: Bool) {
        let isDone = pipeline.apply { [number] in
            $0.setAllowsHighQuality(allows, in: number, atMost: Self.pieceLength, at: $1)
        }
        guard !isDone else { return }
        make { [pipeline, number] in
            pipeline.apply { $0.adjustQuality(in: number, atMost: Self.pieceLength, at: $1) }
        }
    }

    /// Stops caching all images of the window, and then removes the window from the pipeline.
    func close() {
        stopAll()
        make(small: { [number] in $0.removeWindow(number, at: $1) })
    }

    /// Queues a change. If no change is in progress, the first step of the new change is made on this thread, and all
    /// further steps on the executor. If a change is in progress, the new change is made after it.
    ///
    /// - Parameter isLast: whether this change makes all earlier changes pointless, as stopping to cache all images
    ///   does. Earlier changes that still wait are then dropped, and an earlier change that is in progress is not
    ///   continued.
    private func make(isLast: Bool = false, _ change: @escaping Change) {
        // The dropped changes are returned from the closure, so that they are destroyed after the lock is released. One
        // of them may hold the last reference to a long list of assets, and destroying the list takes time.
        let (isFirst, _) = state.withLock { state in
            let withdrawn = isLast ? state.changes : []
            if isLast {
                state.changes = []
                state.epoch += 1
            }
            state.changes.append(change)
            defer { state.isFeeding = true }
            return (!state.isFeeding, withdrawn)
        }
        if isFirst, makePiece() { executor.run { [self] in while makePiece() {} } }
    }

    /// Carries out the next step of the first change in the queue. A step changes a limited number of images, so that
    /// the pipeline's lock is held only briefly.
    ///
    /// - Returns: whether more steps remain to be made.
    private func makePiece() -> Bool {
        let (change, epoch) = state.withLock { ($0.changes.removeFirst(), $0.epoch) }
        let isDone = change()
        return state.withLock { state in
            if !isDone, state.epoch == epoch { state.changes.insert(change, at: 0) }
            state.isFeeding = !state.changes.isEmpty
            return state.isFeeding
        }
    }
}
