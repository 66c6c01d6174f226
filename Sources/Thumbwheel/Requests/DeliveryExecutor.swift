import Dispatch
import ThumbwheelCore

/// Where result handlers run.
///
/// Results of one request arrive in order whatever the executor; those of different requests are independent of one
/// another, so an executor that runs several closures at once lets one slow handler delay nobody else.
public struct DeliveryExecutor: Sendable {
    private let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Whether closures run on the thread that brings them, before `run` returns.
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

    /// The thread that made the result: a worker, whoever cancels, or one of the library's where a deadline came. For handlers
    /// that hand on and return: a worker renders nothing while a handler blocks it.
    public static let inline = DeliveryExecutor(isInline: true) { $0() }

    public static func queue(_ queue: DispatchQueue) -> DeliveryExecutor {
        DeliveryExecutor { queue.async(execute: $0) }
    }

    /// Threads of the library's own, which it shares with nothing else in the process.
    ///
    /// Handlers may block and may make synchronous requests: up to 256 of them wait at once without holding up another request's
    /// results, its deadline or its bytes. Where more are blocked, further results wait for one of them to return.
    public static let concurrent = DeliveryExecutor { BlockingThreads.handlers.run($0) }

    /// The main queue, as PhotoKit does (row 112).
    public static let main = queue(.main)
}
