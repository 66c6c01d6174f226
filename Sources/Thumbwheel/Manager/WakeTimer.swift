import ThumbwheelCore

/// The pipeline's alarm: one, whatever the number of deadlines.
final class WakeTimer: Sendable {
    private struct State {
        var alarm: AlarmClock.Alarm?
        var isStopped = false
    }

    private let state = Mutex(State())

    /// To be called once, before anything else.
    ///
    /// - Parameter body: called on the clock's thread, which all pipelines share: it calls nothing of a host's.
    func start(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.alarm = AlarmClock.shared.alarm(body) }
    }

    /// Fires at `time`, unless it is going to fire before.
    func wake(at time: MonotonicTime) {
        state.withLock { $0.isStopped ? nil : $0.alarm }?.set(at: time)
    }

    /// Fires no more. A call of the body that is under way still finishes.
    func stop() {
        let alarm = state.withLock { state in
            state.isStopped = true
            return state.alarm.take()
        }
        alarm?.stop()
    }
}
