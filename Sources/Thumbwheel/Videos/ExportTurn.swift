import ThumbwheelLocks

/// The turn of one export: it waits for a thread, and then either runs or has been cancelled before.
final class ExportTurn: Sendable {
    private enum State {
        case waiting
        case running
        case ended
    }

    private let state = Mutex(State.waiting)

    /// Lets the export run.
    ///
    /// - Returns: whether it was still waiting.
    func begin() -> Bool { leaveWaiting(for: .running) }

    /// Ends the export before it runs.
    ///
    /// - Returns: whether it was still waiting.
    func endWaiting() -> Bool { leaveWaiting(for: .ended) }

    private func leaveWaiting(for next: State) -> Bool {
        state.withLock { state in
            guard state == .waiting else { return false }
            state = next
            return true
        }
    }
}
