import Thumbwheel
import ThumbwheelLocks

/// Keeps a scrolling view supplied with images, in any layout. Tell it each new position of the viewport. It then
/// requests the visible items from a caching manager, cancels the items that have left, and has the next items
/// prepared.
///
/// A move costs its caller only the planning and a look-up in the cache. Cached images, and the cancellations of items
/// that have left, are delivered before the call returns or on the options' executor. All other requests reach the
/// manager a moment later, from a thread of its own; `cancelAllRequests` does not affect requests that have not reached
/// it yet.
///
/// Call its methods on one thread at a time. If the contents change, let the options' executor run the result handlers
/// on that thread too: a handler gets the item's number at the time of the delivery, which may change.
public final class ScrollPreheater: Sendable {
    private struct State {
        var ledger: GridLedger
        var items: GridItems
        /// The tickets of the items' requests (`GridDeliveries`), by item number.
        var tickets: [Int: Int] = [:]
        /// The items that were visible when placeholders were last delivered, and their subjects (asset, picture
        /// version and size).
        var visible: (items: Range<Int>, subjects: Set<GridSubject>) = (0..<0, [])
    }

    private let manager: CachingImageManager
    private let options: ImageRequestOptions
    private let deliveries: GridDeliveries
    private let feed: GridFeed
    private let placeholderHandler: (@Sendable (Int, ThumbHash) -> Void)?
    private let state: Mutex<State>

    /// Makes a preheater for a grid that has not been shown yet.
    ///
    /// - Parameters:
    ///   - manager: Makes the images; several grids can share its image manager.
    ///   - layout: Places the items. A ``GridLayout`` gets the number of items from `assets`.
    ///   - assets: The grid's items in order. A fetch result is not copied.
    ///   - targetSize: The size of the images in pixels; nil for the size of each item's own rectangle.
    ///   - contentMode: Whether images cover their target or fit into it.
    ///   - options: The options of all requests; the planner sets their urgency.
    ///   - planner: Decides which items are requested, and when.
    ///   - placeholderHandler: Called with the number and the thumb hash of each item that becomes visible and has a
    ///     hash. It is called before any result of the item, on the thread that moved the viewport or changed the
    ///     contents.
    ///   - resultHandler: Called with an item's number and each of its results.
    public init(
        manager: CachingImageManager, layout: any ScrollLayout, assets: some Sequence<Asset>,
        targetSize: PixelSize? = nil, contentMode: ContentMode = .aspectFill,
        options: ImageRequestOptions = ImageRequestOptions { $0.resizeMode = .exact },
        planner: any GridPlanner = ScrollPlanner(),
        placeholderHandler: (@Sendable (Int, ThumbHash) -> Void)? = nil,
        resultHandler: @escaping @Sendable (Int, ImageResult) -> Void
    ) {
        self.manager = manager
        self.options = options
        self.placeholderHandler = placeholderHandler
        deliveries = GridDeliveries(resultHandler: resultHandler)
        feed = GridFeed(manager, contentMode: contentMode, options: options, deliveries: deliveries)
        let items = GridItems(assets as? FetchResult<Asset> ?? FetchResult(assets), layout, targetSize: targetSize)
        state = Mutex(State(ledger: GridLedger(planner: planner), items: items))
    }

    /// Cancels the grid's requests. Prepared images stay in the cache as long as there is room.
    deinit {
        let (tickets, items) = state.withLock { ($0.tickets.sorted { $0.value < $1.value }, $0.items) }
        feed.perform(tickets.map { .cancel(ticket: $0.value) }, of: items)
        feed.deliver(tickets.map { (.cancelled(ImageInfo(cancelled: items.assets[$0.key])), $0.value) })
    }

    /// Tells the preheater that the viewport has moved. Call it after every move.
    ///
    /// - Parameters:
    ///   - offset: The viewport's leading edge, in pixels along the layout's axis; ignored if it is not a finite
    ///     number.
    ///   - time: The time of the move.
    /// - Complexity: in proportion to the number of items that appear, or to the window if the scroll changes its
    ///   direction.
    public func viewportMoved(to offset: Double, at time: MonotonicTime = .now) {
        guard offset.isFinite else { return }
        tellSupply()
        let (actions, items) = state.withLock { state in
            (state.ledger.viewportMoved(to: offset, in: state.items.layout, at: time), state.items)
        }
        handOutPlaceholders(of: items, at: offset)
        perform(GridChange(actions: actions), of: items)
    }

    /// Shows the contents after a change of the library.
    ///
    /// - Items that stay keep their requests and their places in the window, under their new numbers.
    /// - Items that were removed are cancelled and get no further result.
    /// - Items whose content has changed, or whose images get another size, are requested again.
    ///
    /// - Parameters:
    ///   - details: The changes of the library.
    ///   - layout: The layout of the contents after the change; nil if it depends only on the number of items, like a
    ///     ``GridLayout``.
    ///   - time: The time of the change.
    /// - Complexity: in proportion to the window, however long the fetch results are.
    public func update(
        with details: FetchResultChangeDetails<Asset>, layout: (any ScrollLayout)? = nil, at time: MonotonicTime = .now
    ) {
        show(details.fetchResultAfterChanges, layout: layout, at: time)
    }

    /// Shows other contents: another album, or the same items in another order. Items that are in both contents keep
    /// their requests, as in `update(with:layout:at:)`.
    ///
    /// - Parameters:
    ///   - assets: The new items in order.
    ///   - layout: The layout of the new items; nil if it depends only on their number, like a ``GridLayout``.
    ///   - offset: The viewport's leading edge in the new contents, in pixels; nil if it has not moved.
    ///   - time: The time of the change.
    /// - Complexity: in proportion to the window, however long the fetch results are.
    public func show(
        _ assets: FetchResult<Asset>, layout: (any ScrollLayout)? = nil, offset: Double? = nil,
        at time: MonotonicTime = .now
    ) {
        let (change, offset, items, former) = state.withLock { state in
            let before = state.items
            let items = GridItems(assets, layout ?? before.layout, targetSize: before.targetSize)
            let former = FormerContents(before)
            state.items = items
            guard let offset = offset.flatMap({ $0.isFinite ? $0 : nil }) ?? state.ledger.offset else {
                return (GridChange(), offset, items, former)
            }
            let change = state.ledger.contentsChanged(
                to: offset, in: items.layout, at: time, before: { before.subject(of: $0) },
                after: { items.subject(of: $0) })
            return (change, offset, items, former)
        }
        if let offset { handOutPlaceholders(of: items, at: offset, isReplaced: true) }
        perform(change, of: items, replacing: former)
    }

    /// Waits until the manager has received all requests made so far.
    package func settle() async {
        await feed.settle()
    }
}

extension ScrollPreheater {
    /// - Parameter isReplaced: whether the item numbers may refer to other assets than before.
    private func handOutPlaceholders(of contents: GridItems, at offset: Double, isReplaced: Bool = false) {
        guard let placeholderHandler else { return }
        let items = contents.layout.visibleItems(at: offset)
        guard isReplaced || items != state.withLock({ $0.visible.items }) else { return }
        let subjects = items.map { contents.subject(of: $0) }
        let before = state.withLock { state in
            defer { state.visible = (items, Set(subjects)) }
            return state.visible.subjects
        }
        for (item, subject) in zip(items, subjects) where !before.contains(subject) {
            if let hash = contents.assets[item].thumbHash { placeholderHandler(item, hash) }
        }
    }

    private func tellSupply() {
        guard let costs = deliveries.takeCosts() else { return }
        let configuration = manager.imageManager.configuration
        let share = ManagerShare(
            workerCount: configuration.workerCount, fetchLimit: configuration.fetchLimit,
            viewerCount: manager.cachingManagerCount)
        state.withLock { $0.ledger.supplyChanged(to: share.supply(costs)) }
    }

    /// - Parameters:
    ///   - items: the grid's contents after the change.
    ///   - former: the contents before the change, if they have changed.
    private func perform(
        _ change: GridChange, of items: GridItems, replacing former: FormerContents? = nil
    ) {
        var steps: [GridFeed.Step] = []
        // Results are delivered at the very end, because handlers may move the viewport again.
        var results: [(result: ImageResult, ticket: Int)] = []
        // Items that are dropped have their numbers in the former contents.
        for case .cancel(let item) in change.dropped {
            cancel(item, former?.asset(at: item) ?? items.assets[item], &steps, &results)
        }
        if let renumbered = change.renumbered {
            renumber(renumbered)
        }
        if let windows = change.windows, let former { steps.append(.renumber(windows, before: former)) }
        // The items of the window are checked first. Visible items are in the window too, so their requests reuse the
        // checks.
        for case .startCaching(let numbers, _) in change.actions { steps.append(.check(numbers)) }
        for action in change.actions { add(action, of: items, to: &steps, &results) }
        feed.perform(steps, of: items)
        feed.deliver(results)
    }

    private func add(
        _ action: GridAction, of items: GridItems, to steps: inout [GridFeed.Step],
        _ results: inout [(result: ImageResult, ticket: Int)]
    ) {
        switch action {
        case .request(let item, let urgency):
            let ticket = deliveries.issueTicket(forItem: item)
            state.withLock { $0.tickets[item] = ticket }
            if let result = feed.cachedResult(for: item, of: items) {
                results.append((result, ticket))
            } else {
                steps.append(.request(ticket: ticket, item: item, urgency: urgency))
            }
        case .setUrgency(let item, let urgency):
            guard let ticket = state.withLock({ $0.tickets[item] }) else { return }
            steps.append(.setUrgency(urgency, ticket: ticket))
        case .cancel(let item):
            cancel(item, items.assets[item], &steps, &results)
        case .startCaching(let numbers, let urgency): steps.append(.startCaching(numbers, urgency: urgency))
        case .stopCaching(let numbers): steps.append(.stopCaching(numbers))
        case .setAllowsHighQuality(let allows): steps.append(.setAllowsHighQuality(allows))
        }
    }

    private func cancel(
        _ item: Int, _ asset: Asset, _ steps: inout [GridFeed.Step],
        _ results: inout [(result: ImageResult, ticket: Int)]
    ) {
        guard let ticket = state.withLock({ $0.tickets.removeValue(forKey: item) }) else { return }
        steps.append(.cancel(ticket: ticket))
        results.append((.cancelled(ImageInfo(cancelled: asset)), ticket))
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
