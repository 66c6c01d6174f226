#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension ByteSourceError: CustomStringConvertible {
    /// The error in words, for people.
    public var description: String {
        switch self {
        case .notFound(let path): "\(path): there is no such file"
        case .unreadable(let path, let code): "\(path): the file cannot be read: \(String(cString: strerror(code)))"
        case .notAFile(let path): "\(path): not a regular file"
        case .network(let error): error.description
        }
    }
}

extension NetworkError: CustomStringConvertible {
    /// The error in words, for people.
    public var description: String {
        switch self {
        case .connectionFailed(let reason): "the connection failed: \(reason)"
        case .timedOut: "the server did not answer in time"
        case .status(let code): "the server answered with status \(code)"
        case .truncated(let received, let expected): "the answer ended after \(received) of \(expected) bytes"
        case .tooLarge(let limit): "the file has more than \(limit) bytes"
        case .changed: "the file has changed since its first bytes were read"
        case .invalidResponse(let reason): "the server's answer is invalid: \(reason)"
        case .cancelled: "the transfer was cancelled"
        }
    }
}
