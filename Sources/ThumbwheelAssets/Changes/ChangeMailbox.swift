import Dispatch
import ThumbwheelLocks

/// At most one change that waits: what comes while it waits is added to it.
final class ChangeMailbox: Sendable {
    private let pending = Mutex<LibraryChange?>(nil)
    private let signal: @Sendable () -> Void

    init(_ signal: @escaping @Sendable () -> Void) {
        self.signal = signal
    }

    func put(_ change: LibraryChange) {
        // Destroys the replaced change outside the lock: it may hold the last reference to a snapshot in between.
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
