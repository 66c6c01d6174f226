import Dispatch
import ThumbwheelLocks

/// The process's alarm clock: one thread of its own serves all alarms.
///
/// Dispatch runs its timers on its pool, where closures that block can delay them by seconds. No closure of a host runs
/// on the clock's thread.
package final class AlarmClock: Sendable {
    package static let shared = AlarmClock()

    private struct Entry {
        var time: MonotonicTime?
        let body: @Sendable () -> Void
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var lastNumber = 0
        var hasThread = false
        /// The time at which the thread wakes by itself; nil while only a signal wakes it.
        var nextLook: MonotonicTime?
    }

    private let state = Mutex(State())
    private let signal = TimedSignal()

    /// - Parameter body: called on the clock's thread, which all alarms share. It must not block, and must hand longer
    ///   work to another thread.
    package func alarm(_ body: @escaping @Sendable () -> Void) -> Alarm {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.entries[state.lastNumber] = Entry(body: body)
            return state.lastNumber
        }
        return Alarm(number, of: self)
    }

    /// Calls `body` once, when `time` has come. The call is on the clock's thread, which all alarms share, so it must
    /// not block.
    package func ring(at time: MonotonicTime, _ body: @escaping @Sendable () -> Void) {
        let bell = Bell()
        let alarm = alarm {
            // The alarm has lived until now only because `bell` refers to it. Taking it out of `bell` destroys it.
            guard bell.alarm.withLock({ $0.take() }) != nil else { return }
            body()
        }
        bell.alarm.withLock { $0 = alarm }
        alarm.set(at: time)
    }

    /// Keeps an alarm alive that rings only once.
    private final class Bell: Sendable {
        let alarm = Mutex<Alarm?>(nil)
    }

    fileprivate func set(_ number: Int, at time: MonotonicTime) {
        let (isFirst, isSooner) = state.withLock { state in
            guard state.entries[number]?.time.map({ time < $0 }) ?? (state.entries[number] != nil) else {
                return (false, false)
            }
            state.entries[number]?.time = time
            let isSooner = state.nextLook.map { time < $0 } ?? true
            if isSooner { state.nextLook = time }
            defer { state.hasThread = true }
            return (!state.hasThread, isSooner)
        }
        if isFirst { startThread() }
        if isSooner { signal.raise() }
    }

    fileprivate func remove(_ number: Int) {
        // Destroys the body outside the lock: it may hold the last reference to any object.
        _ = state.withLock { $0.entries.removeValue(forKey: number) }
    }

    private func startThread() {
        let hasStarted = DetachedThread.start(named: "thumbwheel-clock") { [self] in
            while true { signal.wait(until: ringAlarms()) }
        }
        // Without a thread no alarm rings, so the clock tries again until the system has a thread to give.
        guard !hasStarted else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.pauseBetweenAttempts) { [self] in startThread() }
    }

    private static let pauseBetweenAttempts = DispatchTimeInterval.milliseconds(20)

    /// - Returns: the time of the next alarm; nil if none is set.
    private func ringAlarms() -> MonotonicTime? {
        let due = state.withLock { state in
            let now = MonotonicTime.now
            let due = state.entries.filter { $0.value.time.map { $0 <= now } ?? false }
            for number in due.keys { state.entries[number]?.time = nil }
            return due.sorted { ($0.value.time!, $0.key) < ($1.value.time!, $1.key) }.map(\.value.body)
        }
        for body in due { body() }
        return state.withLock { state in
            state.nextLook = state.entries.values.compactMap(\.time).min()
            return state.nextLook
        }
    }
}

extension AlarmClock {
    /// An alarm that can be set any number of times. It falls silent when it is stopped, or when its last reference is
    /// dropped.
    package final class Alarm: Sendable {
        private let number: Int
        private let clock: AlarmClock

        fileprivate init(_ number: Int, of clock: AlarmClock) {
            self.number = number
            self.clock = clock
        }

        deinit {
            stop()
        }

        /// Makes the alarm ring at `time`, or earlier if it is already set for an earlier time. Calls from several
        /// threads may come out of order, so a late call must not delay the alarm.
        package func set(at time: MonotonicTime) { clock.set(number, at: time) }

        /// Ends the alarm: its body is not called again. A call that is under way still finishes.
        package func stop() { clock.remove(number) }
    }
}
