import ThumbwheelLocks

/// Notes whether one export waits for a thread, runs or has ended. An export stops waiting only once: it either starts
/// to run or is cancelled. If both happen at the same time, the one that takes the lock first counts.
final class ExportState: Sendable {
    private enum State {
        case waiting
        case running
        case ended
    }

    private let state = Mutex(State.waiting)

    /// Notes that the export starts to run.
    ///
    /// - Returns: whether the export may run; false if it was cancelled while it waited.
    func begin() -> Bool { leaveWaiting(for: .running) }

    /// Ends the export if it still waits for a thread.
    ///
    /// - Returns: whether the export was still waiting.
    func endWaiting() -> Bool { leaveWaiting(for: .ended) }

    private func leaveWaiting(for next: State) -> Bool {
        state.withLock { state in
            guard state == .waiting else { return false }
            state = next
            return true
        }
    }
}
