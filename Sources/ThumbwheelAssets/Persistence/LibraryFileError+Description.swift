#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension LibraryFileError: CustomStringConvertible {
    /// The text of the error.
    public var description: String {
        switch self {
        case .notFound(let path): "\(path): there is no such file"
        case .unreadable(let path, let code): "\(path): cannot be read: \(String(cString: strerror(code)))"
        case .unwritable(let path, let code): "\(path): cannot be written: \(String(cString: strerror(code)))"
        case .notALibrary: "the file is not a saved library"
        case .newerVersion(let number): "the file is of version \(number), which a later release writes"
        case .truncated(let count, let expected): "the file ends after \(count) of \(expected) bytes"
        case .damaged(let range): "bytes \(range.lowerBound) to \(range.upperBound) of the file are damaged"
        case .malformed(let reason): "the file contradicts itself: \(reason)"
        case .accessUserDenied: "a limited view of a library cannot be saved"
        case .cancelled: "the task was cancelled"
        }
    }
}
