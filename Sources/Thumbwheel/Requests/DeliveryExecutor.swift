import Dispatch
import ThumbwheelCore

/// Where result handlers run.
///
/// Results of one request arrive in order whatever the executor; those of different requests are independent of one
/// another, so an executor that runs several closures at once lets one slow handler delay nobody else.
public struct DeliveryExecutor: Sendable {
    private let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Whether closures run on the thread that calls `run`, before it returns.
    let isInline: Bool

    /// - Parameter enqueue: runs a closure, once, now or later, on any thread.
    public init(_ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.init(isInline: false, enqueue)
    }

    private init(isInline: Bool, _ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.isInline = isInline
        self.enqueue = enqueue
    }

    package func run(_ body: @escaping @Sendable () -> Void) {
        enqueue(body)
    }

    /// Runs a handler on the thread that made the result: a worker, the thread that cancels, or, for deadlines, a
    /// thread of the library. Meant for handlers that hand their result on and return: a blocked handler keeps its
    /// worker from rendering.
    public static let inline = DeliveryExecutor(isInline: true) { $0() }

    public static func queue(_ queue: DispatchQueue) -> DeliveryExecutor {
        DeliveryExecutor { queue.async(execute: $0) }
    }

    /// Runs handlers on threads of the library's own, which nothing else in the process uses.
    ///
    /// Handlers may block and may make synchronous requests: up to 256 may wait at once without delaying another
    /// request's results, deadline or bytes. Beyond that, results wait until one handler returns.
    public static let concurrent = DeliveryExecutor { BlockingThreads.handlers.run($0) }

    /// The main queue, as PhotoKit does (row 112).
    public static let main = queue(.main)
}
