import ThumbwheelCaching
import ThumbwheelLocks

@testable import ThumbwheelRedis

/// A look-up that has begun when this is made, and whose answer is awaited later.
final class PendingAnswer: Sendable {
    private let state = Mutex<(answer: SharedAnswer?, waiter: CheckedContinuation<SharedAnswer, Never>?)>((nil, nil))

    init(_ store: RedisStore, _ key: SharedKey) {
        store.lookUp(key) { [self] answer in
            let waiter = state.withLock { state in
                state.answer = answer
                return state.waiter.take()
            }
            waiter?.resume(returning: answer)
        }
    }

    var answer: SharedAnswer {
        get async {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state in
                    if state.answer == nil { state.waiter = continuation }
                    return state.answer
                }
                if let answer { continuation.resume(returning: answer) }
            }
        }
    }
}
