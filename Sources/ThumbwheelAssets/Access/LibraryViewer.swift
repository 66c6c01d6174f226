import ThumbwheelLocks

/// Identifies one view of a library. A view is the library as one user may see it, and has one object of this class. A
/// fetch result stores the object of the view from which it was fetched, and an observer stores the object of its own
/// view. If both objects are the same, the result was fetched from the observer's own view. A `LibraryChange` finds
/// that out.
///
/// The object also stores the assets that the view's observers may see according to the last report to them.
final class LibraryViewer: Sendable {
    private let reported: Mutex<AccessView>

    init(_ view: AccessView) {
        reported = Mutex(view)
    }

    /// Stores `view`, the assets that the observers may see, because it is being reported to them now. Returns the
    /// value that was reported to them before.
    func setReported(_ view: AccessView) -> AccessView {
        // Returns the former value from the closure, so that it is destroyed after the lock is released. It may contain
        // a set with the identifiers of all assets that the user was allowed to see.
        reported.withLock { reported in
            defer { reported = view }
            return reported
        }
    }
}
