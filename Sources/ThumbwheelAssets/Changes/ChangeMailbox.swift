import Dispatch
import ThumbwheelLocks

/// A mailbox with room for one change. If a change arrives while another one waits in the mailbox, the two are joined
/// into one change.
final class ChangeMailbox: Sendable {
    private let pending = Mutex<LibraryChange?>(nil)
    private let signal: @Sendable () -> Void

    init(_ signal: @escaping @Sendable () -> Void) {
        self.signal = signal
    }

    func put(_ change: LibraryChange) {
        // Puts the change into the mailbox. If an older change waits there, it is replaced by one change that covers
        // both. The replaced change is destroyed outside the lock. It may have the last reference to a snapshot, and
        // freeing a snapshot takes time.
        let former = pending.withLock { pending in
            defer { pending = pending?.followed(by: change) ?? change }
            return pending
        }
        signal()
        _ = former
    }

    func take() -> LibraryChange? {
        pending.withLock { pending in
            defer { pending = nil }
            return pending
        }
    }
}
