import Thumbwheel
import ThumbwheelLocks

/// An executor that runs nothing until it is told to.
package final class ManualExecutor: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var executor: DeliveryExecutor {
        DeliveryExecutor { [self] body in
            let watchers = state.withLock { state in
                state.waiting.append(body)
                defer { state.watchers = [] }
                return state.watchers
            }
            for watcher in watchers { watcher.resume() }
        }
    }

    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Returns when something waits.
    package func waitForWork() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.waiting.isEmpty { state.watchers.append(continuation) }
                return !state.waiting.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    /// Runs the first of what waits.
    ///
    /// - Returns: whether anything waited.
    @discardableResult
    package func runNext() -> Bool {
        let body = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        body?()
        return body != nil
    }

    /// Runs what waits, and what comes to wait meanwhile, in order.
    package func runAll() {
        while runNext() {}
    }
}
