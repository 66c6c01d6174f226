import ThumbwheelLocks

/// The identity of one view of a library. A view is the library as one user may see it. A `LibraryChange` compares the
/// identity with that of a fetch result, to find out whether the result comes from the observer's own view. The object
/// also stores the access that was last reported to the view's observers.
final class LibraryViewer: Sendable {
    private let told: Mutex<AccessView>

    init(_ view: AccessView) {
        told = Mutex(view)
    }

    /// Stores the access that is now reported to the observers, and returns the access that was reported before.
    func tell(_ view: AccessView) -> AccessView {
        // `withLock` returns the former access, so that its set of identifiers is destroyed after the lock is released.
        told.withLock { told in
            defer { told = view }
            return told
        }
    }
}
