import Dispatch
import ThumbwheelLocks

/// A mailbox that holds at most one waiting change; further changes are joined to the waiting one.
final class ChangeMailbox: Sendable {
    private let pending = Mutex<LibraryChange?>(nil)
    private let signal: @Sendable () -> Void

    init(_ signal: @escaping @Sendable () -> Void) {
        self.signal = signal
    }

    func put(_ change: LibraryChange) {
        // Destroys the replaced change outside the lock, because it may hold the last reference to an intermediate
        // snapshot.
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
