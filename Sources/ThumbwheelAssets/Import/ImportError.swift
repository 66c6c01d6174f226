/// The reason why an import was not carried out. Nothing has changed then.
public enum ImportError: Error, Equatable, Sendable {
    /// There is no file and no folder at this path.
    case notFound(path: String)
    /// There is something other than a folder at this path.
    case notAFolder(path: String)
    /// The file or folder at this path cannot be read; `code` is the system's error number.
    case unreadable(path: String, code: Int32)
    /// The task of the import was cancelled.
    case cancelled
    /// The access policy does not allow the import, or the library refused the transaction of the import.
    case refused(ChangeError)
}
