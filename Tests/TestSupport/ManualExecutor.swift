import Thumbwheel
import ThumbwheelLocks

/// An executor that runs nothing until it is told to.
package final class ManualExecutor: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    package init() {}

    package var executor: DeliveryExecutor {
        DeliveryExecutor { [self] body in waiting.withLock { $0.append(body) } }
    }

    package var waitingCount: Int { waiting.withLock { $0.count } }

    /// Runs what waits, and what comes to wait meanwhile, in order.
    package func runAll() {
        while let body = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { body() }
    }
}
