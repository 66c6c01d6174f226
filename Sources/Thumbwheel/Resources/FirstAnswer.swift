import ThumbwheelLocks

/// Passes the first of several answers to the task that waits for it. Later answers are thrown away.
final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case answered(Value)
        case over
    }

    private let state = Mutex(State.open)

    func set(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .open:
                state = .answered(value)
                return nil
            case .awaited(let continuation):
                state = .over
                return continuation
            case .answered, .over: return nil
            }
        }
        waiting?.resume(returning: value)
    }

    /// Waits for the first answer.
    ///
    /// - Parameter ask: starts the work that leads to answers. It is not called if there is an answer already.
    func value(askingBy ask: () -> Void) async -> Value {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Value? in
                if case .answered(let value) = state {
                    state = .over
                    return value
                }
                state = .awaited(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) } else { ask() }
        }
    }
}
