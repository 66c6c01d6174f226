import Thumbwheel
import ThumbwheelLocks

/// Keeps a scrolling grid supplied: tell it where the viewport is whenever it moves, and it asks a caching manager for
/// what is visible, cancels what has left, and has made ready what comes next.
///
/// A move costs its caller the plan and a look into the cache: what is there is delivered before the call returns, or as the
/// options' executor has it, and so are the ends of what has left. The manager hears of the rest from a thread of its own, a
/// moment later: `cancelAllRequests` does not reach what it has not heard of.
///
/// Call its methods on one thread at a time. Where the contents change, result handlers belong on that thread too, by the
/// options' executor: an item's number is that of the moment in which its handler is called.
public final class ScrollPreheater: Sendable {
    private struct State {
        var ledger: GridLedger
        var assets: FetchResult<Asset>
        /// Of the items' requests.
        var tickets: [Int: Int] = [:]
        /// What was visible when placeholders were handed out last, and in which items.
        var visible: (items: Range<Int>, subjects: Set<GridSubject>) = (0..<0, [])
    }

    private let manager: CachingImageManager
    private let layout: GridLayout
    private let targetSize: PixelSize
    private let options: ImageRequestOptions
    private let deliveries: GridDeliveries
    private let feed: GridFeed
    private let placeholderHandler: (@Sendable (Int, ThumbHash) -> Void)?
    private let state: Mutex<State>

    /// Makes a preheater for a grid that has not been shown yet.
    ///
    /// - Parameters:
    ///   - manager: Makes the images; several grids can share the image manager underneath.
    ///   - layout: The grid.
    ///   - assets: The grid's items from the top. A fetch result is kept as it is, whatever its length.
    ///   - targetSize: The size of the images in pixels.
    ///   - options: The options of all requests; their urgency is the planner's.
    ///   - planner: Decides which items are asked for, and when.
    ///   - placeholderHandler: Called with the number and the hash of each item that becomes visible and has one,
    ///     before any result of it, on the thread that moved the viewport or changed the contents.
    ///   - resultHandler: Called with an item's number and each of its results.
    public init(
        manager: CachingImageManager, layout: GridLayout, assets: some Sequence<Asset>, targetSize: PixelSize,
        options: ImageRequestOptions = ImageRequestOptions { $0.resizeMode = .exact },
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
        feed = GridFeed(manager, targetSize: targetSize, options: options, deliveries: deliveries)
        state = Mutex(
            State(ledger: GridLedger(planner: planner), assets: assets as? FetchResult<Asset> ?? FetchResult(assets)))
    }

    /// What the grid asked for ends with it; what it had made ready stays as long as there is room.
    deinit {
        let (tickets, assets) = state.withLock { ($0.tickets.values.sorted(), $0.assets) }
        feed.perform(tickets.map { .cancel(ticket: $0) }, of: assets)
        feed.deliver(tickets.map { (.cancelled, $0) })
    }

    /// Tells the preheater that the visible rectangle has moved; call it whenever that happens.
    ///
    /// - Parameters:
    ///   - offset: The viewport's upper edge, in pixels from the grid's top; ignored if it is not a finite number.
    ///   - time: The time of the move.
    /// - Complexity: in proportion to the items that the move reveals; to the window where the scroll turns.
    public func viewportMoved(to offset: Double, at time: MonotonicTime = .now) {
        guard offset.isFinite else { return }
        tellSupply()
        let (actions, assets) = state.withLock { state in
            let count = state.assets.count
            return (state.ledger.viewportMoved(to: offset, in: layout, itemCount: count, at: time), state.assets)
        }
        handOutPlaceholders(of: assets, at: offset)
        perform(GridChange(actions: actions), of: assets)
    }

    /// The library has changed under the grid: what stays keeps its requests and its place in the window, under its new
    /// number; what was removed is cancelled and gets no further result, what changed its content is asked for again.
    ///
    /// Takes time in proportion to the window, whatever the length of the results.
    public func update(with details: FetchResultChangeDetails<Asset>, at time: MonotonicTime = .now) {
        show(details.fetchResultAfterChanges, at: time)
    }

    /// Shows other contents: an album, or the same ones in another order. Items that are in both are kept as by
    /// `update(with:at:)`.
    ///
    /// - Parameters:
    ///   - assets: The new items from the top.
    ///   - offset: The viewport's upper edge in them, in pixels; nil if it has not moved.
    ///   - time: The time of the change.
    /// - Complexity: in proportion to the window, whatever the length of the results.
    public func show(_ assets: FetchResult<Asset>, offset: Double? = nil, at time: MonotonicTime = .now) {
        let (change, offset, former) = state.withLock { state in
            let before = state.assets
            let former = FormerContents(before)
            state.assets = assets
            guard let offset = offset.flatMap({ $0.isFinite ? $0 : nil }) ?? state.ledger.offset else {
                return (GridChange(), offset, former)
            }
            let change = state.ledger.contentsChanged(
                to: offset, in: layout, itemCount: assets.count, at: time, before: { GridSubject(before[$0]) },
                after: { GridSubject(assets[$0]) })
            return (change, offset, former)
        }
        if let offset { handOutPlaceholders(of: assets, at: offset, isReplaced: true) }
        perform(change, of: assets, replacing: former)
    }

    /// Returns when the manager has been told all that was wanted up to now.
    package func settle() async {
        await feed.settle()
    }
}

extension ScrollPreheater {
    /// - Parameter isReplaced: whether items may mean others than before.
    private func handOutPlaceholders(of assets: FetchResult<Asset>, at offset: Double, isReplaced: Bool = false) {
        guard let placeholderHandler else { return }
        let items = layout.visibleItems(at: offset, itemCount: assets.count)
        guard isReplaced || items != state.withLock({ $0.visible.items }) else { return }
        let subjects = items.map { GridSubject(assets[$0]) }
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

    /// - Parameters:
    ///   - assets: what items are after the change.
    ///   - former: what they were, where the contents have changed.
    private func perform(
        _ change: GridChange, of assets: FetchResult<Asset>, replacing former: FormerContents? = nil
    ) {
        var steps: [GridFeed.Step] = []
        // Last of all: handlers may move the viewport again.
        var results: [(result: ImageResult, ticket: Int)] = []
        for action in change.dropped { add(action, of: assets, to: &steps, &results) }
        if let renumbered = change.renumbered {
            renumber(renumbered)
        }
        if let windows = change.windows, let former { steps.append(.renumber(windows, before: former)) }
        // First, for what is visible is in the window as well, and asked for before.
        for case .startCaching(let items, _) in change.actions { steps.append(.check(items)) }
        for action in change.actions { add(action, of: assets, to: &steps, &results) }
        feed.perform(steps, of: assets)
        feed.deliver(results)
    }

    private func add(
        _ action: GridAction, of assets: FetchResult<Asset>, to steps: inout [GridFeed.Step],
        _ results: inout [(result: ImageResult, ticket: Int)]
    ) {
        switch action {
        case .request(let item, let urgency):
            let ticket = deliveries.issueTicket(forItem: item)
            state.withLock { $0.tickets[item] = ticket }
            if let result = feed.cachedResult(for: assets[item]) {
                results.append((result, ticket))
            } else {
                steps.append(.request(ticket: ticket, item: item, urgency: urgency))
            }
        case .setUrgency(let item, let urgency):
            guard let ticket = state.withLock({ $0.tickets[item] }) else { return }
            steps.append(.setUrgency(urgency, ticket: ticket))
        case .cancel(let item):
            guard let ticket = state.withLock({ $0.tickets.removeValue(forKey: item) }) else { return }
            steps.append(.cancel(ticket: ticket))
            results.append((.cancelled, ticket))
        case .startCaching(let items, let urgency): steps.append(.startCaching(items, urgency: urgency))
        case .stopCaching(let items): steps.append(.stopCaching(items))
        case .setAllowsHighQuality(let allows): steps.append(.setAllowsHighQuality(allows))
        }
    }

    private func renumber(_ moves: [(from: Int, to: Int)]) {
        let tickets = state.withLock { state in
            let tickets = state.tickets
            state.tickets = [:]
            for move in moves { state.tickets[move.to] = tickets[move.from] }
            return state.tickets
        }
        deliveries.renumber(tickets)
    }
}
