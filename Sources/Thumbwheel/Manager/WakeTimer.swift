import Dispatch
import ThumbwheelCore

/// The pipeline's alarm clock: one timer of the system's, whatever the number of deadlines.
final class WakeTimer: Sendable {
    private struct State {
        let source: any DispatchSourceTimer
        /// When the timer is going to fire.
        var time: MonotonicTime?
        var isStopped = false
    }

    /// What does not fit into a timer's arithmetic is looked at again after a day.
    private static let longestWait: Int64 = 86_400_000_000_000

    private let state = Mutex(
        State(source: DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))))

    /// To be called once, before anything else.
    func start(_ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.source.setEventHandler { [weak self] in
                // Before the body, which may set the next time.
                self?.state.withLock { $0.time = nil }
                body()
            }
            state.source.activate()
        }
    }

    /// Fires at `time`, unless it is going to fire before: threads may bring two times in the wrong order, and a time that
    /// was taken first must not put off an earlier one.
    func wake(at time: MonotonicTime) {
        state.withLock { state in
            guard !state.isStopped, state.time.map({ time < $0 }) ?? true else { return }
            state.time = time
            let wait = min(max(0, time.nanoseconds - MonotonicTime.now.nanoseconds), Self.longestWait)
            state.source.schedule(deadline: .now() + .nanoseconds(Int(wait)), leeway: .microseconds(100))
        }
    }

    /// Fires no more. A call of the body that is under way still finishes.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.source.cancel()
        }
    }
}
