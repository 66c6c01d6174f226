import TestSupport
import ThumbwheelCore

@testable import ThumbwheelRedis

extension ManualClock {
    func advance(_ store: RedisStore, by milliseconds: Double) {
        advance(by: milliseconds)
        store.lookAtClock()
    }
}
