/// A place where result handlers run; see <doc:Semantics#Where-handlers-run>.
///
/// Results of one request arrive in order whatever the executor. Those of different requests are independent of one
/// another, so an executor that runs several closures at once lets one slow handler delay nobody else.
public struct DeliveryExecutor: Sendable {
    /// Behind a reference: each waiting request has an executor, and few are different.
    private final class Queue: Sendable {
        let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void

        init(_ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
            self.enqueue = enqueue
        }
    }

    /// Nil for closures that run at once.
    private let queue: Queue?

    /// - Parameter enqueue: runs a closure, once, now or later, on any thread.
    public init(_ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        queue = Queue(enqueue)
    }

    private init() {
        queue = nil
    }

    /// Whether closures run on the thread that calls `run`, before it returns.
    package var isInline: Bool { queue == nil }

    package func run(_ body: @escaping @Sendable () -> Void) {
        if let queue { queue.enqueue(body) } else { body() }
    }

    /// Runs a handler on the thread that made the result: a worker, the thread that cancels, or, for deadlines, a
    /// thread of the library. Meant for handlers that hand their result on and return: a blocked handler keeps its
    /// worker from rendering.
    public static let inline = DeliveryExecutor()
}
