import Dispatch
import ThumbwheelLocks

/// Hands changes to all registered observers. A slow observer receives several changes joined into one, and misses none.
final class ChangeFeed: Sendable {
    private struct State {
        var nextIdentifier: UInt64 = 0
        var mailboxes: [UInt64: (mailbox: ChangeMailbox, viewer: LibraryViewer)] = [:]
    }

    private let state = Mutex(State())

    /// - Parameter viewer: the view whose observers are told; nil tells all.
    func publish(_ change: LibraryChange, to viewer: LibraryViewer? = nil) {
        let mailboxes = state.withLock { state in
            state.mailboxes.filter { viewer == nil || $0.value.viewer === viewer }.sorted { $0.key < $1.key }
                .map(\.value.mailbox)
        }
        for mailbox in mailboxes { mailbox.put(change) }
    }

    /// Registers an observer and makes its mailbox. After each change, `signal` is called while no lock is held. It
    /// must wake the observer, which then empties the mailbox.
    func add(
        for viewer: LibraryViewer, _ signal: @escaping @Sendable () -> Void
    ) -> (identifier: UInt64, mailbox: ChangeMailbox) {
        let mailbox = ChangeMailbox(signal)
        let identifier = state.withLock { state in
            state.nextIdentifier += 1
            state.mailboxes[state.nextIdentifier] = (mailbox, viewer)
            return state.nextIdentifier
        }
        return (identifier, mailbox)
    }

    func remove(_ identifier: UInt64) {
        // The mailbox is released outside the lock. Its closure holds values that may run code when they are destroyed.
        _ = state.withLock { $0.mailboxes.removeValue(forKey: identifier) }
    }
}
