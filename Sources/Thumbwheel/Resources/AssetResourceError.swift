import ThumbwheelCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The reason why a request to an `AssetResourceManager` did not bring all bytes.
public enum AssetResourceError: Error, Equatable, Sendable {
    /// The bytes are not stored locally, and the request may not use the network.
    case networkAccessRequired
    /// The bytes could not be read.
    case source(ByteSourceError)
    /// The resource ended before all its bytes had come, because its file was cut short.
    case truncated(receivedByteCount: Int, expectedByteCount: Int)
    /// The file at `path` could not be written; `code` is the system's error number. No part of the file is left.
    case unwritable(path: String, code: Int32)
    /// The request was cancelled.
    case cancelled

    /// PhotoKit's number for the error: 3164 and 3169 for the network, 3303 for a missing and 3302 for a damaged
    /// resource, 3305 for a full disk, 3072 for a cancelled request, and -1 for the rest.
    public var code: Int {
        switch self {
        case .networkAccessRequired: 3164
        case .source(.network(.cancelled)), .cancelled: 3072
        case .source(.network): 3169
        case .source(.notFound), .source(.notAFile): 3303
        case .truncated: 3302
        case .unwritable(_, let code) where Self.fullDiskCodes.contains(code): 3305
        case .source(.unreadable), .unwritable: -1
        }
    }

    /// The system's error numbers that mean that a disk is full or that a file has reached a size limit.
    static let fullDiskCodes = [ENOSPC, EDQUOT, EFBIG]
}

extension AssetResourceError: CustomStringConvertible {
    /// The error in words, for people.
    public var description: String {
        switch self {
        case .networkAccessRequired: "the bytes are elsewhere, and the request may not use the network"
        case .source(let error): error.description
        case .truncated(let received, let expected): "the resource ended after \(received) of \(expected) bytes"
        case .unwritable(let path, let code): "\(path) cannot be written: \(String(cString: strerror(code)))"
        case .cancelled: "cancelled"
        }
    }
}
