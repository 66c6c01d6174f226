import Thumbwheel
import ThumbwheelLocks

/// A timer that fires nothing until it is told to, so that a test of pauses does not pause.
package final class ManualTimer: Sendable {
    private struct State {
        var delays: [Duration] = []
        var waiting: [(delay: Duration, body: @Sendable () -> Void)] = []
        var watchers: [(delay: Duration, continuation: CheckedContinuation<Void, Never>)] = []
        /// What is to fire as soon as it is set.
        var automatic: Set<Duration> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// All delays that were asked for, in order.
    package var delays: [Duration] { state.withLock { $0.delays } }

    package func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
        let (firesNow, watchers) = state.withLock { state in
            state.delays.append(delay)
            let firesNow = state.automatic.contains(delay)
            if !firesNow { state.waiting.append((delay, body)) }
            let watchers = state.watchers.filter { $0.delay == delay }
            state.watchers.removeAll { $0.delay == delay }
            return (firesNow, watchers.map(\.continuation))
        }
        for watcher in watchers { watcher.resume() }
        if firesNow { body() }
    }

    /// From now on delays of these lengths are over at once.
    package func firesAtOnce(_ delays: Duration...) {
        state.withLock { $0.automatic.formUnion(delays) }
    }

    /// Ends all waiting delays of this length.
    package func fire(_ delay: Duration) {
        let due = state.withLock { state in
            defer { state.waiting.removeAll { $0.delay == delay } }
            return state.waiting.filter { $0.delay == delay }
        }
        for entry in due { entry.body() }
    }

    /// Returns when a delay of this length waits.
    package func waitFor(_ delay: Duration) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let isThere = state.waiting.contains { $0.delay == delay }
                if !isThere { state.watchers.append((delay, continuation)) }
                return isThere
            }
            if isThere { continuation.resume() }
        }
    }
}
