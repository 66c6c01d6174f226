import Thumbwheel

/// Keeps a scrolling grid supplied: tell it where the viewport is whenever it moves, and it asks a caching manager for
/// what is visible, cancels what has left, and has made ready what comes next.
///
/// Call its methods on one thread at a time. Where the contents change, result handlers belong on that thread too, by the
/// options' executor: an item's number is that of the moment in which its handler is called.
public final class ScrollPreheater: Sendable {
    private struct Request {
        let ticket: Int
        /// Nil for one that was refused.
        var id: ImageRequestID?
    }

    private struct State {
        var ledger: GridLedger
        var assets: FetchResult<Asset>
        /// By item.
        var requests: [Int: Request] = [:]
        /// What was visible when placeholders were handed out last, and in which items.
        var visible: (items: Range<Int>, subjects: Set<Subject>) = (0..<0, [])
        /// Of the items in the window.
        var images: [Int: CheckedImage] = [:]
    }

    private let manager: CachingImageManager
    private let layout: GridLayout
    private let targetSize: PixelSize
    private let options: ImageRequestOptions
    private let deliveries: GridDeliveries
    private let placeholderHandler: (@Sendable (Int, ThumbHash) -> Void)?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - assets: the grid's items from the top. A fetch result is kept as it is, whatever its length.
    ///   - targetSize: of the images, in pixels.
    ///   - options: of all requests; their urgency is the planner's.
    ///   - placeholderHandler: called with the number and the hash of each item that becomes visible and has one, before any
    ///     result of it, on the thread that moved the viewport or changed the contents.
    ///   - resultHandler: called with an item's number and each of its results.
    public init(
        manager: CachingImageManager, layout: GridLayout, assets: some Sequence<Asset>, targetSize: PixelSize,
        options: ImageRequestOptions = ImageRequestOptions(resizeMode: .exact),
        planner: any GridPlanner = ScrollPlanner(),
        placeholderHandler: (@Sendable (Int, ThumbHash) -> Void)? = nil,
        resultHandler: @escaping @Sendable (Int, ImageResult) -> Void
    ) {
        self.manager = manager
        self.layout = layout
        self.targetSize = targetSize
        self.options = options
        self.placeholderHandler = placeholderHandler
        deliveries = GridDeliveries(resultHandler: resultHandler)
        state = Mutex(
            State(ledger: GridLedger(planner: planner), assets: assets as? FetchResult<Asset> ?? FetchResult(assets)))
    }

    /// What the grid asked for ends with it; what it had made ready stays as long as there is room.
    deinit {
        let requests = state.withLock { $0.requests.values.compactMap(\.id).sorted() }
        for id in requests { manager.cancelImageRequest(id) }
    }

    /// Call this whenever the visible rectangle has moved.
    ///
    /// - Parameter offset: the viewport's upper edge in pixels from the grid's top.
    public func viewportMoved(to offset: Double, at time: MonotonicTime = .now) {
        tellSupply()
        let (actions, assets) = state.withLock { state in
            let count = state.assets.count
            return (state.ledger.viewportMoved(to: offset, in: layout, itemCount: count, at: time), state.assets)
        }
        handOutPlaceholders(of: assets, at: offset)
        perform(GridChange(actions: actions), before: assets, after: assets)
    }

    /// The library has changed under the grid: what stays keeps its requests and its place in the window, under its new
    /// number; what was removed is cancelled and gets no further result, what changed its content is asked for again.
    ///
    /// Takes time in proportion to the window, whatever the length of the results.
    public func update(with details: FetchResultChangeDetails<Asset>, at time: MonotonicTime = .now) {
        show(details.fetchResultAfterChanges, at: time)
    }

    /// Shows other contents: an album, or the same ones in another order. What is in both is kept as by `update(with:at:)`.
    ///
    /// - Parameter offset: where the viewport is in them; nil where it has not moved.
    public func show(_ assets: FetchResult<Asset>, offset: Double? = nil, at time: MonotonicTime = .now) {
        let (change, before, offset) = state.withLock { state in
            let before = state.assets
            state.assets = assets
            guard let offset = offset ?? state.ledger.offset else { return (GridChange(), before, offset) }
            let change = state.ledger.contentsChanged(
                to: offset, in: layout, itemCount: assets.count, at: time, before: { Subject(before[$0]) },
                after: { Subject(assets[$0]) })
            return (change, before, offset)
        }
        if let offset { handOutPlaceholders(of: assets, at: offset, isReplaced: true) }
        perform(change, before: before, after: assets)
    }

    /// What an item's image is of.
    private struct Subject: Hashable {
        let identifier: AssetIdentifier
        let contentVersion: UInt32

        init(_ asset: Asset) {
            identifier = asset.identifier
            contentVersion = asset.contentVersion
        }
    }
}

extension ScrollPreheater {
    /// - Parameter isReplaced: whether items may mean others than before.
    private func handOutPlaceholders(of assets: FetchResult<Asset>, at offset: Double, isReplaced: Bool = false) {
        guard let placeholderHandler else { return }
        let items = layout.visibleItems(at: offset, itemCount: assets.count)
        guard isReplaced || items != state.withLock({ $0.visible.items }) else { return }
        let subjects = items.map { Subject(assets[$0]) }
        let before = state.withLock { state in
            defer { state.visible = (items, Set(subjects)) }
            return state.visible.subjects
        }
        for (item, subject) in zip(items, subjects) where !before.contains(subject) {
            if let hash = assets[item].thumbHash { placeholderHandler(item, hash) }
        }
    }

    private func tellSupply() {
        guard let costs = deliveries.takeCosts() else { return }
        let configuration = manager.imageManager.configuration
        let share = ManagerShare(
            workerCount: configuration.workerCount, fetchLimit: configuration.fetchLimit,
            viewerCount: manager.viewerCount)
        state.withLock { $0.ledger.supplyChanged(to: share.supply(costs)) }
    }

    private func perform(_ change: GridChange, before: FetchResult<Asset>, after: FetchResult<Asset>) {
        var batch = ImageBatch(manager, targetSize: targetSize, contentMode: .fill, options: options)
        var requested: [Int] = []
        for action in change.dropped { add(action, of: before, to: &batch, noting: &requested) }
        if let renumbered = change.renumbered { renumber(renumbered) }
        // First, for what is visible is in the window as well, and asked for before.
        for case .startCaching(let items, _) in change.actions { check(items, of: after, for: batch) }
        for action in change.actions { add(action, of: after, to: &batch, noting: &requested) }
        let ids = batch.apply()
        guard !ids.isEmpty else { return }
        state.withLock { state in
            for (item, id) in zip(requested, ids) { state.requests[item]?.id = id }
        }
    }

    private func check(_ items: [Int], of assets: FetchResult<Asset>, for batch: ImageBatch) {
        state.withLock { state in
            for item in items where state.images[item] == nil { state.images[item] = batch.check(assets[item]) }
        }
    }

    private func renumber(_ moves: [(from: Int, to: Int)]) {
        let tickets = state.withLock { state in
            let requests = state.requests
            state.requests = [:]
            state.images = [:]
            for move in moves { state.requests[move.to] = requests[move.from] }
            return state.requests.mapValues(\.ticket)
        }
        deliveries.renumber(tickets)
    }

    private func add(
        _ action: GridAction, of assets: FetchResult<Asset>, to batch: inout ImageBatch, noting requested: inout [Int]
    ) {
        switch action {
        case .request(let item, let urgency):
            let ticket = deliveries.issueTicket(forItem: item)
            state.withLock { $0.requests[item] = Request(ticket: ticket) }
            let image = state.withLock { $0.images[item] } ?? batch.check(assets[item])
            let isOnItsWay = batch.request(assets[item], image, urgency: urgency) { [deliveries] in
                deliveries.deliver($0, for: ticket)
            }
            if isOnItsWay { requested.append(item) }
        case .setUrgency(let item, let urgency):
            guard let id = state.withLock({ $0.requests[item]?.id }) else { return }
            batch.setUrgency(urgency, of: id)
        case .cancel(let item):
            guard let id = state.withLock({ $0.requests.removeValue(forKey: item)?.id }) else { return }
            batch.cancel(id)
        case .startCaching(let items, let urgency):
            batch.startCaching(state.withLock { state in items.map { state.images[$0] } }, urgency: urgency)
        case .stopCaching(let items):
            batch.stopCaching(state.withLock { state in items.map { state.images.removeValue(forKey: $0) } })
        case .setAllowsHighQuality(let allows):
            batch.setAllowsHighQuality(allows)
        }
    }
}
