import Dispatch
import ThumbwheelLocks

/// Sends each change of a library to all registered observers. If an observer is slow, the changes that it has not
/// received are joined into one, so that it misses none.
final class ChangeFeed: Sendable {
    private struct State {
        var nextIdentifier: UInt64 = 0
        var mailboxes: [UInt64: (mailbox: ChangeMailbox, viewer: LibraryViewer)] = [:]
    }

    private let state = Mutex(State())

    /// Sends a change to the observers.
    ///
    /// - Parameter viewer: if not nil, only the observers of this view of the library receive the change. A view is the
    ///   library as one user may see it.
    func publish(_ change: LibraryChange, to viewer: LibraryViewer? = nil) {
        let mailboxes = state.withLock { state in
            state.mailboxes.filter { viewer == nil || $0.value.viewer === viewer }.sorted { $0.key < $1.key }
                .map(\.value.mailbox)
        }
        for mailbox in mailboxes { mailbox.put(change) }
    }

    /// Registers an observer and makes a mailbox, which stores the changes that the observer has not taken yet.
    /// `signal` is called after each change, while no lock is held. It must cause the observer to take the change out
    /// of the mailbox.
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
        // The mailbox is destroyed outside the lock, because its closure refers to values that may run code when they
        // are destroyed.
        _ = state.withLock { $0.mailboxes.removeValue(forKey: identifier) }
    }
}
