import Dispatch
import Thumbwheel
import ThumbwheelLocks

/// A policy that allows everything, and can be held up as one on a disk that hangs.
final class HeldPolicy: AccessPolicy {
    private struct State {
        var isHeld = false
        var waitingCount = 0
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let gate = DispatchSemaphore(value: 0)

    var access: LibraryAccess {
        let (isHeld, watchers) = state.withLock { state in
            if state.isHeld { state.waitingCount += 1 }
            defer { if state.isHeld { state.watchers = [] } }
            return (state.isHeld, state.isHeld ? state.watchers : [])
        }
        for watcher in watchers { watcher.resume() }
        if isHeld { gate.wait() }
        return .full
    }

    func hold() { state.withLock { $0.isHeld = true } }

    /// Returns once somebody has asked and waits.
    func waitForCall() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.waitingCount == 0 { state.watchers.append(continuation) }
                return state.waitingCount > 0
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
