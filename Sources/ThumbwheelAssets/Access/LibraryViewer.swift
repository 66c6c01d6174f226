import ThumbwheelLocks

/// The identity of one view of a library; a view is the library as one user may see it. A change uses the identity to
/// recognize fetch results of the observer's own view. The object also stores the access that was last reported to the
/// view's observers.
final class LibraryViewer: Sendable {
    private let told: Mutex<AccessView>

    init(_ view: AccessView) {
        told = Mutex(view)
    }

    /// Stores the access that is reported to the observers.
    ///
    /// - Returns: the access that was reported before.
    func tell(_ view: AccessView) -> AccessView {
        // The lock returns the former access to the caller, so that its set is destroyed outside the lock.
        told.withLock { told in
            defer { told = view }
            return told
        }
    }
}
