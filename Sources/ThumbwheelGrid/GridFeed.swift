import Thumbwheel
import ThumbwheelLocks

/// Passes a grid's actions to its caching manager, in order and on another thread. So a move of the viewport does not
/// make the scrolling thread check, rank and start a whole screen of requests.
final class GridFeed: Sendable {
    /// One step of a move. Requests are identified by tickets (`GridDeliveries`), because the numbers of their items
    /// may change.
    enum Step: Sendable {
        case request(ticket: Int, item: Int, urgency: Double)
        case setUrgency(Double, ticket: Int)
        case cancel(ticket: Int)
        /// Computes the facts about items that enter the caching window with the same move.
        case check([Int])
        case startCaching([Int], urgency: Double)
        case stopCaching([Int])
        case setAllowsHighQuality(Bool)
        /// Gives the item numbers in later steps another meaning, because the contents have changed. Later steps add
        /// all items of the new caching window; this step removes the images that were only in the old one.
        case renumber(GridWindows, before: FormerContents)
    }

    private struct Book {
        /// The identifiers of live requests by ticket, without requests that were refused.
        var requests: [Int: ImageRequestID] = [:]
        var images = WindowImages()
    }

    private let manager: CachingImageManager
    private let contentMode: ContentMode
    private let options: ImageRequestOptions
    private let deliveries: GridDeliveries
    /// The live requests and the images in the window. The thread that performs steps takes the value out and puts it
    /// back.
    private let book = Mutex(Book())

    init(
        _ manager: CachingImageManager, contentMode: ContentMode, options: ImageRequestOptions,
        deliveries: GridDeliveries
    ) {
        self.manager = manager
        self.contentMode = contentMode
        self.options = options
        self.deliveries = deliveries
    }

    /// Returns the cache's result for a request; nil if the request must be performed.
    func cachedResult(for item: Int, of items: GridItems) -> ImageResult? {
        manager.imageManager.cachedResult(
            for: items.assets[item], targetSize: items.targetSize(of: item), contentMode: contentMode, options: options)
    }

    /// Delivers results on the calling thread, which scrolls, if the options allow immediate delivery; otherwise on the
    /// options' executor.
    func deliver(_ results: [(result: ImageResult, ticket: Int)]) {
        let executor = options.executor ?? manager.imageManager.configuration.executor
        for (result, ticket) in results {
            (options.allowsImmediateDelivery ? .inline : executor).run { [deliveries] in
                deliveries.deliver(result, for: ticket)
            }
        }
    }

    /// - Parameter items: the contents that the item numbers refer to. If there is a `.renumber` step, they are the
    ///   contents after it.
    func perform(_ steps: [Step], of items: GridItems) {
        guard !steps.isEmpty else { return }
        submissionThread.run { [self] in
            // The steps are performed outside the lock, because they may run the host's handlers.
            var book = book.withLock { book in
                defer { book = Book() }
                return book
            }
            perform(steps, of: items, in: &book)
            self.book.withLock { $0 = book }
        }
    }

    /// Waits until the manager has received all steps so far.
    func settle() async {
        await submissionThread.settle()
    }

    private var submissionThread: SerialThread { manager.imageManager.submissionThread }

    private func perform(_ steps: [Step], of items: GridItems, in book: inout Book) {
        var options = options
        // Immediate delivery means the scrolling thread, and this is another one.
        options.allowsImmediateDelivery = false
        var batch = ImageBatch(manager, contentMode: contentMode, options: options)
        var requested: [Int] = []
        for step in steps {
            switch step {
            case .request(let ticket, let item, let urgency):
                let size = items.targetSize(of: item)
                let image = book.images[item] ?? batch.check(items.assets[item], targetSize: size)
                let isOnItsWay = batch.request(items.assets[item], targetSize: size, image, urgency: urgency) {
                    [deliveries] in deliveries.deliver($0, for: ticket)
                }
                if isOnItsWay { requested.append(ticket) }
            case .setUrgency(let urgency, let ticket):
                if let id = book.requests[ticket] { batch.setUrgency(urgency, of: id) }
            case .cancel(let ticket):
                if let id = book.requests.removeValue(forKey: ticket) { batch.cancel(id) }
            case .check(let numbers):
                for item in numbers where book.images[item] == nil {
                    book.images.insert(
                        batch.check(items.assets[item], targetSize: items.targetSize(of: item)), for: item)
                }
            case .startCaching(let numbers, let urgency):
                batch.startCaching(numbers.map { book.images[$0] }, urgency: urgency)
            case .stopCaching(let numbers):
                batch.stopCaching(book.images.remove(numbers))
            case .setAllowsHighQuality(let allows):
                batch.setAllowsHighQuality(allows)
            case .renumber(let windows, let former):
                let before = former.take()
                let stopped = windows.stopped(
                    before: { before.subject(of: $0) }, after: { items.subject(of: $0) })
                batch.stopCaching(stopped.map { book.images[$0] })
                book.images = WindowImages()
            }
        }
        for (ticket, id) in zip(requested, batch.apply()) { book.requests[ticket] = id }
    }
}
