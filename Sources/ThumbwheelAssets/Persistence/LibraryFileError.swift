import ThumbwheelCore

/// Why a library could not be saved to a file, or loaded from one. A library that was to be saved is as it was, and so is
/// the file that was there before.
public enum LibraryFileError: Error, Equatable, Sendable {
    /// There is no file at this path.
    case notFound(path: String)
    /// The file cannot be read; `code` is the system's error number.
    case unreadable(path: String, code: Int32)
    /// The file, or the one that is written beside it first, cannot be written; `code` is the system's error number.
    case unwritable(path: String, code: Int32)
    /// The file is something else than a saved library.
    case notALibrary
    /// The file was written by a later version of this software, in a form that has this number.
    case newerVersion(Int)
    /// The file ends before its time.
    case truncated(byteCount: Int, expectedByteCount: Int)
    /// These bytes of the file are not the ones that were written.
    case damaged(byteRange: Range<Int>)
    /// The file says what cannot be; `reason` says what, for people.
    case malformed(reason: String)
    /// Only who may see all of a library may save it (3311).
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
