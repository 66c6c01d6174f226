import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelRedis

/// Time as a test says. As long as the test does not move it, nothing times out, however busy the machine is.
final class ManualClock: Sendable {
    private let time = Mutex(MonotonicTime.zero)

    var now: MonotonicTime { time.withLock { $0 } }

    func advance(by milliseconds: Double) { time.withLock { $0 = $0.advanced(byMilliseconds: milliseconds) } }

    func advance(_ store: RedisStore, by milliseconds: Double) {
        advance(by: milliseconds)
        store.lookAtClock()
    }
}
