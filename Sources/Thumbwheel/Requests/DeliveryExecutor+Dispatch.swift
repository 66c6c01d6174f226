import Dispatch
import ThumbwheelCore
import ThumbwheelPipeline

extension DeliveryExecutor {
    /// Runs handlers on a dispatch queue of the caller, in the queue's order.
    public static func queue(_ queue: DispatchQueue) -> DeliveryExecutor {
        DeliveryExecutor { queue.async(execute: $0) }
    }

    /// Runs handlers on the library's own threads, which nothing else in the process uses.
    ///
    /// Handlers are allowed to block and to make synchronous requests. Up to 256 handlers can block at once without
    /// delaying another request's results, deadline or bytes. If more block, further results wait until one of these
    /// handlers returns.
    public static let concurrent = DeliveryExecutor { BlockingThreads.handlers.run($0) }

    /// Runs handlers on the main queue, as PhotoKit does.
    public static let main = queue(.main)
}
