import ThumbwheelCore
import ThumbwheelLocks

/// Time as a test says. As long as the test does not move it, nothing times out, however busy the machine is.
package final class ManualClock: Sendable {
    private struct State {
        var now = MonotonicTime.zero
        var due: [(time: MonotonicTime, work: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var now: MonotonicTime { state.withLock { $0.now } }

    /// Keeps work until the clock has reached a time.
    package func run(at time: MonotonicTime, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.due.append((time, work)) }
    }

    /// Moves the clock, and does the work that is due then, in the order of its times.
    package func advance(by milliseconds: Double) {
        let works = state.withLock { state in
            state.now = state.now.advanced(byMilliseconds: milliseconds)
            let now = state.now
            defer { state.due.removeAll { $0.time <= now } }
            return state.due.filter { $0.time <= now }.sorted { $0.time < $1.time }.map(\.work)
        }
        for work in works { work() }
    }
}
