import ThumbwheelCore
import ThumbwheelPipeline
import ThumbwheelRendering

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The reason why an export did not finish. The incomplete new file has been removed, and a file that existed at its
/// path before the export is unchanged.
public enum ExportError: Error, Equatable, Sendable {
    /// The options contradict one another; `reason` describes the fault for people.
    case invalidOptions(reason: String)
    /// The file type cannot hold one of the video's tracks, or an encoder is missing; `reason` is for people.
    case unsupported(reason: String)
    /// The video cannot be read or decoded.
    case reading(ImageRequestError)
    /// The file at `path` could not be written; `code` is the system's error number.
    case unwritable(path: String, code: Int32)
    /// The export was cancelled.
    case cancelled

    /// PhotoKit's number for the error: 3164 and 3169 for the network, 3302 for a damaged video, 3305 for a full disk,
    /// 3072 for a cancelled export, 3306 for a video that cannot be exported with these options, and -1 for the rest.
    public var code: Int {
        switch self {
        case .invalidOptions: -1
        case .unsupported: 3306
        case .reading(let error): error.code
        case .unwritable(_, let code): AssetResourceError.fullDiskCodes.contains(code) ? 3305 : -1
        case .cancelled: 3072
        }
    }

    init(_ failure: VideoExportFailure, path: String) {
        switch failure {
        case .reading(let error):
            let error = ImageRequestError(error)
            self = error == .cancelled ? .cancelled : .reading(error)
        case .unsupported(let reason): self = .unsupported(reason: reason)
        case .writing(let code): self = .unwritable(path: path, code: code)
        }
    }
}

extension ExportError: CustomStringConvertible {
    /// The error in words, for people.
    public var description: String {
        switch self {
        case .invalidOptions(let reason), .unsupported(let reason): reason
        case .reading(let error): error.description
        case .unwritable(let path, let code): "\(path) cannot be written: \(String(cString: strerror(code)))"
        case .cancelled: "cancelled"
        }
    }
}
