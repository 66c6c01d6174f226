/// The reasons why a store on disk cannot be used.
public enum StoreError: Error, Equatable, Sendable {
    /// The folder or a file in it cannot be opened, read or written. `code` is the system's error number.
    case unusable(path: String, code: Int32)
    /// Values can be read, but nothing can be written: the file system of the folder is read-only, or the folder belongs to
    /// another user.
    case readOnly
    /// A later version of this library has written the store, in a format that this version does not know.
    case laterVersion(Int)
    /// The index cannot be read. `code` is SQLite's result code.
    case damagedIndex(code: Int32)
    /// Another process uses the index, and has not released it within the time that a store waits.
    case busy
    /// The store has been closed, and cannot be opened again.
    case closed
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unusable(let path, let code): "The store cannot use \(path) (error \(code))."
        case .readOnly: "The store's folder is read-only."
        case .laterVersion(let version): "The store has format \(version), which only a later version can read."
        case .damagedIndex(let code): "The store's index is damaged (SQLite result \(code))."
        case .busy: "Another process holds the store's index."
        case .closed: "The store is closed."
        }
    }
}
