import ThumbwheelCore

/// The reason why a library could not be saved to a file or loaded from one. If saving fails, neither the library nor
/// the existing file has changed.
public enum LibraryFileError: Error, Equatable, Sendable {
    /// There is no file at this path.
    case notFound(path: String)
    /// The file cannot be read; `code` is the system's error number.
    case unreadable(path: String, code: Int32)
    /// The file, or the temporary file that is written before it, cannot be written; `code` is the system's error
    /// number.
    case unwritable(path: String, code: Int32)
    /// The file is not a saved library.
    case notALibrary
    /// The file was written by a later version of this software. The number is the version of the file's format.
    case newerVersion(Int)
    /// The file is shorter than it should be.
    case truncated(byteCount: Int, expectedByteCount: Int)
    /// These bytes of the file are not the bytes that were written.
    case damaged(byteRange: Range<Int>)
    /// The file contains impossible values. `reason` describes them.
    case malformed(reason: String)
    /// The user may not see the whole library, and therefore may not save it (PhotoKit's error number 3311).
    case accessUserDenied
    /// The task that saves or loads was cancelled.
    case cancelled
}

extension LibraryFileError {
    init(_ error: ByteSourceError) {
        self =
            switch error {
            case .notFound(let path): .notFound(path: path)
            case .unreadable(let path, let code): .unreadable(path: path, code: code)
            case .notAFile, .network: .notALibrary
            }
    }
}
