import Dispatch
import ThumbwheelLocks

/// Calls one observer's handler with the change in its mailbox, one call at a time and outside all locks.
final class ChangeDelivery: Sendable {
    private struct State {
        var mailbox: ChangeMailbox?
        var isScheduled = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "thumbwheel.library.observer")
    private let calls: ObserverCalls<LibraryChange>

    init(_ handler: @escaping @Sendable (LibraryChange) -> Void) {
        calls = ObserverCalls(handler)
    }

    func begin(_ mailbox: ChangeMailbox) {
        state.withLock { $0.mailbox = mailbox }
        // A change may have arrived after the mailbox was registered and before this call.
        schedule()
    }

    /// Ends the calls and destroys the mailbox, outside the lock. The mailbox's signal keeps this object alive, and with
    /// it a waiting change and the snapshots of that change.
    func stop(waits: Bool) {
        let mailbox = state.withLock { state in
            defer { state.mailbox = nil }
            return state.mailbox
        }
        calls.stop(waits: waits)
        _ = mailbox
    }

    func schedule() {
        let isFirst = state.withLock { state in
            guard !state.isScheduled, state.mailbox != nil else { return false }
            state.isScheduled = true
            return true
        }
        if isFirst { queue.async { self.deliver() } }
    }

    private func deliver() {
        let mailbox = state.withLock { state in
            // The flag is cleared before the mailbox is emptied, so that a change that arrives later schedules another
            // delivery.
            state.isScheduled = false
            return state.mailbox
        }
        if let change = mailbox?.take() { calls.call(with: change) }
    }
}
