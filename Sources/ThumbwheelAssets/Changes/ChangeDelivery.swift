import ThumbwheelCore
import ThumbwheelLocks

/// Calls one observer's handler with the library's changes, one call at a time, while no lock is held. Changes that
/// have not been delivered wait in the observer's mailbox (`ChangeMailbox`).
final class ChangeDelivery: Sendable {
    private struct State {
        var mailbox: ChangeMailbox?
        var isScheduled = false
    }

    private let state = Mutex(State())
    private let work = SerialWork(on: .handlers)
    private let calls: ObserverCalls<LibraryChange>

    init(_ handler: @escaping @Sendable (LibraryChange) -> Void) {
        calls = ObserverCalls(handler)
    }

    func begin(_ mailbox: ChangeMailbox) {
        state.withLock { $0.mailbox = mailbox }
        // Schedules a delivery, because a change may have arrived too early to schedule one: after the mailbox was
        // registered with the library, but before `begin` stored the mailbox in `state`.
        schedule()
    }

    /// Stops calling the observer's handler, and releases the mailbox. The mailbox stores a closure that tells this
    /// object of new changes, so it refers to this object, and this object refers to the mailbox. Without the release,
    /// the two would keep each other alive, together with a waiting change and its snapshots. The mailbox is destroyed
    /// outside the lock.
    ///
    /// - Parameter waits: whether to wait, up to a time limit, for a call of the handler that runs on another thread.
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
        if isFirst { work.run { self.deliver() } }
    }

    private func deliver() {
        let mailbox = state.withLock { state in
            // `isScheduled` is set to false before the mailbox is emptied below, so that a change that arrives between
            // the two steps schedules another delivery.
            state.isScheduled = false
            return state.mailbox
        }
        if let change = mailbox?.take() { calls.call(with: change) }
    }
}
