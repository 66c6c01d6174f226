import ThumbwheelLocks

/// Stands for one view of a library, which is the library as one user may see it. Each view has one object of this
/// class. A fetch result stores the object of the view from which it was fetched, and an observer has the object of its
/// own view. A `LibraryChange` compares the two to find out whether the result was fetched from the observer's own
/// view. The object also stores the access that was last reported to the view's observers.
final class LibraryViewer: Sendable {
    private let reported: Mutex<AccessView>

    init(_ view: AccessView) {
        reported = Mutex(view)
    }

    /// Stores the access that is now reported to the observers, and returns the access that was reported before.
    func setReported(_ view: AccessView) -> AccessView {
        // Returns the former access from the closure, so that it is destroyed after the lock is released. It may
        // contain a set with the identifiers of all assets that the user was allowed to see.
        reported.withLock { reported in
            defer { reported = view }
            return reported
        }
    }
}
