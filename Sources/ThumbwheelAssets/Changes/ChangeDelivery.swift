import Dispatch
import ThumbwheelLocks

/// Calls one handler with what its mailbox holds, one call at a time and outside all locks.
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
        // A change may have come between the registration and this.
        schedule()
    }

    /// Ends the calls and destroys the mailbox, outside the lock. The mailbox's signal holds this object, and with it a
    /// waiting change and that change's snapshots.
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
            // Before the mailbox is emptied: what comes later schedules again.
            state.isScheduled = false
            return state.mailbox
        }
        if let change = mailbox?.take() { calls.call(with: change) }
    }
}
