import Dispatch
import ThumbwheelLocks

/// Hands changes to those who registered. Whoever is slow gets several as one, and loses none.
final class ChangeFeed: Sendable {
    private struct State {
        var nextIdentifier: UInt64 = 0
        var mailboxes: [UInt64: ChangeMailbox] = [:]
    }

    private let state = Mutex(State())

    func publish(_ change: LibraryChange) {
        let mailboxes = state.withLock { state in state.mailboxes.sorted { $0.key < $1.key }.map(\.value) }
        for mailbox in mailboxes { mailbox.put(change) }
    }

    /// The mailbox is emptied by whoever `signal` wakes; it is called outside all locks.
    func add(_ signal: @escaping @Sendable () -> Void) -> (identifier: UInt64, mailbox: ChangeMailbox) {
        let mailbox = ChangeMailbox(signal)
        let identifier = state.withLock { state in
            state.nextIdentifier += 1
            state.mailboxes[state.nextIdentifier] = mailbox
            return state.nextIdentifier
        }
        return (identifier, mailbox)
    }

    func remove(_ identifier: UInt64) {
        // Released outside the lock: what the mailbox's closure holds may run code as it goes.
        _ = state.withLock { $0.mailboxes.removeValue(forKey: identifier) }
    }
}
