/// A place where result handlers run; see <doc:Semantics#Where-handlers-run>.
///
/// Results of one request arrive in order, with any executor. Results of different requests are independent of one
/// another. So, with an executor that runs several closures at once, a slow handler delays no other request.
public struct DeliveryExecutor: Sendable {
    /// An object around the closure `enqueue`. As a reference it takes one word in each waiting request, where a
    /// closure would take two.
    final class Queue: Sendable {
        let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void

        init(_ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
            self.enqueue = enqueue
        }
    }

    /// The queue into which handlers are put; nil if handlers run at once, on the thread that calls `run`.
    let queue: Queue?

    /// - Parameter enqueue: a function that is given a closure and runs it exactly once, now or later, on any thread.
    public init(_ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        queue = Queue(enqueue)
    }

    init(_ queue: Queue?) {
        self.queue = queue
    }

    /// Whether closures run on the thread that calls `run`, before it returns.
    package var isInline: Bool { queue == nil }

    package func run(_ body: @escaping @Sendable () -> Void) {
        if let queue { queue.enqueue(body) } else { body() }
    }

    /// Runs each handler at once, on the thread on which its result comes about, for example:
    /// - for an image that has been rendered, the worker that rendered it;
    /// - for an image from the cache, the thread that submits the request;
    /// - for a cancelled request, the thread that cancels it;
    /// - for a missed deadline, a thread of this library.
    ///
    /// This executor suits handlers that only pass their result on: while a handler blocks, the worker that runs it
    /// cannot render.
    public static let inline = DeliveryExecutor(nil)
}
