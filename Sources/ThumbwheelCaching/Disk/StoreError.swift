/// The reasons why a store on disk cannot be used.
public enum StoreError: Error, Equatable, Sendable {
    /// The folder or a file in it cannot be opened, read or written. `code` is the system's error number.
    case unusable(path: String, code: Int32)
    /// A later version of this library has written the store, in a format that this version does not know.
    case laterVersion(Int)
    /// The index cannot be read. SQLite's result code says why.
    case damagedIndex(code: Int32)
    /// Another process holds the index for longer than a store waits.
    case busy
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unusable(let path, let code): "The store cannot use \(path) (error \(code))."
        case .laterVersion(let version): "The store has format \(version), which only a later version can read."
        case .damagedIndex(let code): "The store's index is damaged (SQLite result \(code))."
        case .busy: "Another process holds the store's index."
        }
    }
}
