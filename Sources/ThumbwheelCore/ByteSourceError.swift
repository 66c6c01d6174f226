/// The reason why bytes could not be read.
public enum ByteSourceError: Error, Equatable, Sendable {
    /// There is no file at this path.
    case notFound(path: String)
    /// The file exists but cannot be read; `code` is the system's error number.
    case unreadable(path: String, code: Int32)
    /// The path leads to something that is not a regular file.
    case notAFile(path: String)
    /// The bytes are not stored locally, and fetching them over the network failed.
    case network(NetworkError)
}
