import Thumbwheel
import ThumbwheelLocks

/// Hands what a grid wants to its caching manager, in order and on another thread: the one that scrolls pays for the plan,
/// not for what it takes to check, rank and start a screen of requests.
final class GridFeed: Sendable {
    /// A part of what one move wants. Requests go by their tickets, which outlast the numbers of their items.
    enum Step: Sendable {
        case request(ticket: Int, item: Int, urgency: Double)
        case setUrgency(Double, ticket: Int)
        case cancel(ticket: Int)
        /// Items that come into the window with the same move.
        case check([Int])
        case startCaching([Int], urgency: Double)
        case stopCaching([Int])
        case setAllowsHighQuality(Bool)
        /// Items mean other assets from here on; what is wanted of the window is said anew, and what of it is left over
        /// found out here.
        case renumber(GridWindows, before: FormerContents)
    }

    private struct Book {
        /// By ticket; none of what was refused.
        var requests: [Int: ImageRequestID] = [:]
        var images = WindowImages()
    }

    private let manager: CachingImageManager
    private let targetSize: PixelSize
    private let options: ImageRequestOptions
    private let deliveries: GridDeliveries
    /// Taken by one errand at a time.
    private let book = Mutex(Book())

    init(
        _ manager: CachingImageManager, targetSize: PixelSize, options: ImageRequestOptions, deliveries: GridDeliveries
    ) {
        self.manager = manager
        self.targetSize = targetSize
        self.options = options
        self.deliveries = deliveries
    }

    /// What the cache has for a request; nil where it is to be performed.
    func cachedResult(for asset: Asset) -> ImageResult? {
        manager.imageManager.cachedResult(
            for: asset, targetSize: targetSize, contentMode: .fill, options: options)
    }

    /// Hands results out on this thread, which scrolls, or as the options' executor has it.
    func deliver(_ results: [(result: ImageResult, ticket: Int)]) {
        let executor = options.executor ?? manager.imageManager.configuration.executor
        for (result, ticket) in results {
            (options.allowsImmediateDelivery ? .inline : executor).run { [deliveries] in
                deliveries.deliver(result, for: ticket)
            }
        }
    }

    /// - Parameter assets: what the items' numbers mean after the last `.renumber`, if there is one.
    func perform(_ steps: [Step], of assets: FetchResult<Asset>) {
        guard !steps.isEmpty else { return }
        errands.run { [self] in
            // Not under the lock: handlers may run here.
            var book = book.withLock { book in
                defer { book = Book() }
                return book
            }
            perform(steps, of: assets, in: &book)
            self.book.withLock { $0 = book }
        }
    }

    /// Returns when the manager has been told all that was wanted before.
    func settle() async {
        await errands.settle()
    }

    private var errands: ErrandThread { manager.imageManager.errands }

    private func perform(_ steps: [Step], of assets: FetchResult<Asset>, in book: inout Book) {
        var options = options
        // This thread is not the caller's.
        options.allowsImmediateDelivery = false
        var batch = ImageBatch(manager, targetSize: targetSize, contentMode: .fill, options: options)
        var requested: [Int] = []
        for step in steps {
            switch step {
            case .request(let ticket, let item, let urgency):
                let image = book.images[item] ?? batch.check(assets[item])
                let isOnItsWay = batch.request(assets[item], image, urgency: urgency) { [deliveries] in
                    deliveries.deliver($0, for: ticket)
                }
                if isOnItsWay { requested.append(ticket) }
            case .setUrgency(let urgency, let ticket):
                if let id = book.requests[ticket] { batch.setUrgency(urgency, of: id) }
            case .cancel(let ticket):
                if let id = book.requests.removeValue(forKey: ticket) { batch.cancel(id) }
            case .check(let items):
                for item in items where book.images[item] == nil {
                    book.images.insert(batch.check(assets[item]), for: item)
                }
            case .startCaching(let items, let urgency):
                batch.startCaching(items.map { book.images[$0] }, urgency: urgency)
            case .stopCaching(let items):
                batch.stopCaching(book.images.remove(items))
            case .setAllowsHighQuality(let allows):
                batch.setAllowsHighQuality(allows)
            case .renumber(let windows, let former):
                let before = former.take()
                let stopped = windows.stopped(
                    before: { GridSubject(before[$0]) }, after: { GridSubject(assets[$0]) })
                batch.stopCaching(stopped.map { book.images[$0] })
                book.images = WindowImages()
            }
        }
        for (ticket, id) in zip(requested, batch.apply()) { book.requests[ticket] = id }
    }
}
