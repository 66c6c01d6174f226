import Foundation
import Thumbwheel

/// The blocks of changes since a moment in a library's history, oldest first.
public final class PHPersistentChangeFetchResult: NSObject, Sequence, Sendable {
    private let changes: [PersistentChange]

    init(_ changes: [PersistentChange]) {
        self.changes = changes
    }

    public func makeIterator() -> some IteratorProtocol<PHPersistentChange> {
        changes.lazy.map { PHPersistentChange($0) }.makeIterator()
    }

    /// Calls `body` with each change, oldest first, until it sets its last argument.
    public func enumerateChanges(_ body: (PHPersistentChange, UnsafeMutablePointer<ObjCBool>) -> Void) {
        var stop = ObjCBool(false)
        for change in self {
            body(change, &stop)
            if stop.boolValue { return }
        }
    }
}
