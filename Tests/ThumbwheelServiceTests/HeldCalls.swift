import Dispatch
import ThumbwheelLocks

/// Calls that can be held up, as those are that wait for a disk that hangs.
final class HeldCalls: Sendable {
    private struct State {
        var isHeld = false
        var waitingCount = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let gate = DispatchSemaphore(value: 0)

    /// Made by each call; returns once nothing is held up.
    func pass() {
        let (isHeld, watchers) = state.withLock { state in
            if state.isHeld { state.waitingCount += 1 }
            let watchers = state.watchers.filter { $0.count <= state.waitingCount }
            state.watchers.removeAll { $0.count <= state.waitingCount }
            return (state.isHeld, watchers)
        }
        for watcher in watchers { watcher.continuation.resume() }
        if isHeld { gate.wait() }
    }

    func hold() { state.withLock { $0.isHeld = true } }

    /// Returns once so many calls wait.
    func waitForCalls(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.waitingCount < count { state.watchers.append((count, continuation)) }
                return state.waitingCount >= count
            }
            if isThere { continuation.resume() }
        }
    }

    func release() {
        let count = state.withLock { state in
            defer { (state.isHeld, state.waitingCount) = (false, 0) }
            return state.waitingCount
        }
        for _ in 0..<count { gate.signal() }
    }
}
