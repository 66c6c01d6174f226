#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension ImportError: CustomStringConvertible {
    /// The text of the error.
    public var description: String {
        switch self {
        case .notFound(let path): "\(path): there is no such file or folder"
        case .notAFolder(let path): "\(path): not a folder"
        case .unreadable(let path, let code): "\(path): cannot be read: \(String(cString: strerror(code)))"
        case .cancelled: "the import was cancelled"
        case .refused(let error): "the library refuses the files: \(error)"
        }
    }
}
