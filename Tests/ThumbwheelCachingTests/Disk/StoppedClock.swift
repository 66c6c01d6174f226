import ThumbwheelCore
import ThumbwheelLocks

/// A clock that only the test moves.
final class StoppedClock: Sendable {
    private let time = Mutex(MonotonicTime.zero)

    var now: MonotonicTime { time.withLock { $0 } }

    /// Moves on beyond the longest rest of a store after a failure.
    func endRests() { time.withLock { $0 = $0.advanced(by: .seconds(61)) } }
}
