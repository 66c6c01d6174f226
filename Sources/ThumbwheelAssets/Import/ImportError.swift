/// Why an import did not take place. Nothing has been added then.
public enum ImportError: Error, Equatable, Sendable {
    /// There is no file or folder at this path.
    case notFound(path: String)
    /// The path leads to something else than a folder.
    case notAFolder(path: String)
    /// The path exists but cannot be read; `code` is the system's error number.
    case unreadable(path: String, code: Int32)
    /// The task was cancelled.
    case cancelled
    /// The library's policy does not allow it.
    case refused(ChangeError)
}
