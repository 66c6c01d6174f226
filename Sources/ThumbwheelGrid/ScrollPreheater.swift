import Thumbwheel

/// Keeps a scrolling grid supplied: tell it where the viewport is whenever it moves, and it asks a caching manager for
/// what is visible, cancels what has left, and has made ready what comes next.
public final class ScrollPreheater: Sendable {
    private struct State {
        var planner: any GridPlanner
        var requests: [Int: ImageRequestID] = [:]
    }

    private let manager: CachingImageManager
    private let layout: GridLayout
    private let assets: [Asset]
    private let targetSize: PixelSize
    private let options: ImageRequestOptions
    private let resultHandler: @Sendable (Int, ImageResult) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - assets: the grid's items from the top.
    ///   - targetSize: of the images, in pixels.
    ///   - options: of all requests; their urgency is the planner's.
    ///   - resultHandler: called with an item's number and each of its results.
    public init(
        manager: CachingImageManager, layout: GridLayout, assets: some Sequence<Asset>, targetSize: PixelSize,
        options: ImageRequestOptions = ImageRequestOptions(resizeMode: .exact),
        planner: any GridPlanner = ScrollPlanner(), resultHandler: @escaping @Sendable (Int, ImageResult) -> Void
    ) {
        self.manager = manager
        self.layout = layout
        self.assets = Array(assets)
        self.targetSize = targetSize
        self.options = options
        self.resultHandler = resultHandler
        state = Mutex(State(planner: planner))
    }

    /// What the grid asked for ends with it; what it had made ready stays as long as there is room.
    deinit {
        let requests = state.withLock { $0.requests.values.sorted() }
        for id in requests { manager.cancelImageRequest(id) }
    }

    /// Call this on one thread at a time, whenever the visible rectangle has moved.
    ///
    /// - Parameter offset: the viewport's upper edge in pixels from the grid's top.
    public func viewportMoved(to offset: Double, at time: MonotonicTime = .now) {
        let actions = state.withLock {
            $0.planner.viewportMoved(to: offset, in: layout, itemCount: assets.count, at: time)
        }
        guard !actions.isEmpty else { return }
        var batch = ImageBatch(manager, targetSize: targetSize, contentMode: .fill, options: options)
        var requested: [Int] = []
        for action in actions { add(action, to: &batch, noting: &requested) }
        let ids = batch.apply()
        state.withLock { state in
            for (item, id) in zip(requested, ids) { state.requests[item] = id }
        }
    }

    private func add(_ action: GridAction, to batch: inout ImageBatch, noting requested: inout [Int]) {
        switch action {
        case .request(let item, let urgency):
            let isOnItsWay = batch.request(assets[item], urgency: urgency) { [resultHandler] in resultHandler(item, $0)
            }
            if isOnItsWay { requested.append(item) }
        case .setUrgency(let item, let urgency):
            guard let id = state.withLock({ $0.requests[item] }) else { return }
            batch.setUrgency(urgency, of: id)
        case .cancel(let item):
            guard let id = state.withLock({ $0.requests.removeValue(forKey: item) }) else { return }
            batch.cancel(id)
        case .startCaching(let items, let urgency):
            batch.startCaching(items.lazy.map { self.assets[$0] }, urgency: urgency)
        case .stopCaching(let items):
            batch.stopCaching(items.lazy.map { self.assets[$0] })
        case .setAllowsHighQuality(let allows):
            batch.setAllowsHighQuality(allows)
        }
    }
}
