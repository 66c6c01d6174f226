import ThumbwheelLocks

/// An answer that comes once, and is awaited before or after it has come.
final class PendingAnswer<Answer: Sendable>: Sendable {
    private let state = Mutex<(answer: Answer?, waiter: CheckedContinuation<Answer, Never>?)>((nil, nil))

    func receive(_ answer: Answer) {
        let waiter = state.withLock { state in
            precondition(state.answer == nil, "answered twice")
            state.answer = answer
            return state.waiter.take()
        }
        waiter?.resume(returning: answer)
    }

    var answer: Answer {
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
