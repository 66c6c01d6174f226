/// The reason why an import did not take place. Nothing has been added in that case.
public enum ImportError: Error, Equatable, Sendable {
    /// There is no file or folder at this path.
    case notFound(path: String)
    /// The path leads to something other than a folder.
    case notAFolder(path: String)
    /// The path exists but cannot be read; `code` is the system's error number.
    case unreadable(path: String, code: Int32)
    /// The task was cancelled.
    case cancelled
    /// The access policy does not allow the import, or the library refused its transaction.
    case refused(ChangeError)
}
