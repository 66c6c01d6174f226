import ThumbwheelLocks

/// The identity of a view of a library, by which a change recognizes the results of the same view, and the access of which its
/// observers know.
final class LibraryViewer: Sendable {
    private let told: Mutex<AccessView>

    init(_ view: AccessView) {
        told = Mutex(view)
    }

    /// Replaces the access that observers know of.
    ///
    /// - Returns: the access that they knew of before.
    func tell(_ view: AccessView) -> AccessView {
        // The former set is released outside the lock.
        told.withLock { told in
            defer { told = view }
            return told
        }
    }
}
