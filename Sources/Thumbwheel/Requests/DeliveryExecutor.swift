import Dispatch

/// Where result handlers run.
///
/// Results of one request arrive in order whatever the executor; those of different requests are independent of one
/// another, so an executor that runs several closures at once lets one slow handler delay nobody else.
public struct DeliveryExecutor: Sendable {
    private let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter enqueue: runs a closure, once, now or later, on any thread.
    public init(_ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.enqueue = enqueue
    }

    package func run(_ body: @escaping @Sendable () -> Void) {
        enqueue(body)
    }

    /// The thread that made the result: a worker, whoever cancels, or one of Dispatch's where a deadline came. For handlers
    /// that hand on and return.
    public static let inline = DeliveryExecutor { $0() }

    public static func queue(_ queue: DispatchQueue) -> DeliveryExecutor {
        DeliveryExecutor { queue.async(execute: $0) }
    }

    /// The process's concurrent queue.
    public static let concurrent = queue(.global(qos: .userInitiated))

    /// The main queue, as PhotoKit does (row 112).
    public static let main = queue(.main)
}
