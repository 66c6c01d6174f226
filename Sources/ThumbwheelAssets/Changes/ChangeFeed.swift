import Dispatch
import ThumbwheelLocks

/// Hands changes to all registered observers. A slow observer receives several changes joined into one, and misses none.
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

    /// Registers an observer. `signal` is called outside all locks after each change, and must wake the observer, which
    /// then empties the mailbox.
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
        // The mailbox is released outside the lock, because values held by its closure may run code when they are
        // destroyed.
        _ = state.withLock { $0.mailboxes.removeValue(forKey: identifier) }
    }
}
