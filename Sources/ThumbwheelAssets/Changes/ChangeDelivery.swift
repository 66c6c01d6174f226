import Dispatch
import ThumbwheelLocks

/// Calls one observer's handler with the change that waits in the observer's mailbox. It makes one call at a time,
/// while no lock is held.
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
        // A change may have arrived after the mailbox was registered and before `begin` was called. Its signal found no
        // mailbox here, so it scheduled no delivery.
        schedule()
    }

    /// Ends the calls and releases the mailbox, outside the lock. The mailbox's signal holds this object, and this
    /// object holds the mailbox. Without the release, both would stay alive, together with a waiting change and its
    /// snapshots.
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
            // `isScheduled` is cleared before the mailbox is emptied below. So a change that arrives in between
            // schedules another delivery.
            state.isScheduled = false
            return state.mailbox
        }
        if let change = mailbox?.take() { calls.call(with: change) }
    }
}
