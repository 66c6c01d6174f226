import Dispatch
import ThumbwheelLocks

/// A mailbox that holds at most one waiting change. A further change is joined with the waiting one into one change.
final class ChangeMailbox: Sendable {
    private let pending = Mutex<LibraryChange?>(nil)
    private let signal: @Sendable () -> Void

    init(_ signal: @escaping @Sendable () -> Void) {
        self.signal = signal
    }

    func put(_ change: LibraryChange) {
        // The replaced change is destroyed outside the lock. It may hold the last reference to the snapshot between the
        // two joined changes, and that snapshot is then freed.
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
