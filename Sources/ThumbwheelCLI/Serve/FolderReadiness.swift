import ThumbwheelLocks

/// Keeps track of the folders that have not been read yet, and tells when all of them have been read once.
final class FolderReadiness: Sendable {
    private let missing: Mutex<Set<String>>

    init(_ folders: [String]) { missing = Mutex(Set(folders)) }

    /// Notes that a folder has been read.
    ///
    /// - Returns: whether all have.
    func note(_ folder: String) -> Bool {
        missing.withLock { missing in
            missing.remove(folder)
            return missing.isEmpty
        }
    }
}
