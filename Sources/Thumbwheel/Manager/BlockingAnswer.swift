import Dispatch
import ThumbwheelLocks

/// Hands one terminal result to a thread that waits for it.
final class BlockingAnswer: Sendable {
    private let result = Mutex<ImageResult?>(nil)
    private let arrival = DispatchSemaphore(value: 0)

    func set(_ value: ImageResult) {
        guard value.isTerminal else { return }
        result.withLock { $0 = value }
        arrival.signal()
    }

    func wait() -> ImageResult {
        arrival.wait()
        return result.withLock { $0! }
    }
}
