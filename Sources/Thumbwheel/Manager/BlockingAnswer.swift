import Dispatch
import ThumbwheelLocks

/// Hands one result to a thread that waits for it.
final class BlockingAnswer<Result: Sendable>: Sendable {
    private let result = Mutex<Result?>(nil)
    private let arrival = DispatchSemaphore(value: 0)

    func set(_ value: Result) {
        result.withLock { $0 = value }
        arrival.signal()
    }

    func wait() -> Result {
        arrival.wait()
        return result.withLock { $0! }
    }
}
