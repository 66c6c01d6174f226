import ThumbwheelCore
import ThumbwheelLocks

/// The timer of a pipeline. It serves all alarms of the pipeline: deadlines of requests, time limits of renders, and
/// checks of memory.
final class WakeTimer: Sendable {
    private struct State {
        var alarm: AlarmClock.Alarm?
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Prepares the timer; must be called once, before any other method.
    ///
    /// - Parameter body: the closure to call when the timer fires. It is called on the thread of `AlarmClock`, which
    ///   all pipelines share, so it must not call code of the program that uses this library.
    func start(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.alarm = AlarmClock.shared.alarm(body) }
    }

    /// Makes the timer fire at `time`, unless it is already set for an earlier time.
    func wake(at time: MonotonicTime) {
        state.withLock { $0.isStopped ? nil : $0.alarm }?.set(at: time)
    }

    /// Stops the timer for good. If its closure is running at that moment, the closure still finishes.
    func stop() {
        let alarm = state.withLock { state in
            state.isStopped = true
            return state.alarm.take()
        }
        alarm?.stop()
    }
}
