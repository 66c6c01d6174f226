import ThumbwheelCore

/// The reason why a library could not be saved to a file or loaded from one. A failed save changes neither the library
/// nor the existing file.
public enum LibraryFileError: Error, Equatable, Sendable {
    /// There is no file at this path.
    case notFound(path: String)
    /// The file cannot be read; `code` is the system's error number.
    case unreadable(path: String, code: Int32)
    /// The file, or the temporary file that is written first, cannot be written; `code` is the system's error number.
    case unwritable(path: String, code: Int32)
    /// The file is not a saved library.
    case notALibrary
    /// The file was written by a later version of this software, in the format version with this number.
    case newerVersion(Int)
    /// The file ends too early.
    case truncated(byteCount: Int, expectedByteCount: Int)
    /// These bytes of the file differ from the bytes that were written.
    case damaged(byteRange: Range<Int>)
    /// The file contains impossible values; `reason` describes them as readable text.
    case malformed(reason: String)
    /// The view may not see the whole library, so it may not save it (3311).
    case accessUserDenied
    /// The task was cancelled.
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
