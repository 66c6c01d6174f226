import ThumbwheelCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An error that tells why an image could not be rendered.
public enum RenderError: Error, Equatable, Sendable {
    /// The file's type is not among the types that the library renders.
    case unsupportedFormat
    /// The file ends too soon. `decodedFraction` is the fraction of the image's height that was decoded, from 0 to 1.
    /// In a JPEG of several scans (passes over the image), the fraction refers to the scan in which the file ends.
    case truncated(decodedFraction: Double)
    /// A decoder's library or process cannot be started, or lacks memory. The file itself may be undamaged. `reason` is
    /// a text for people to read.
    case unavailable(reason: String)
    /// The process in which the file was decoded crashed, or violated the protocol between it and this library (see
    /// `Isolation`). `signal` is the number of the signal that ended the process; nil after a violation, or if no such
    /// signal is known.
    case decoderFailed(signal: Int32?)
    /// The file contradicts itself or the format's rules. `reason` is a text for people to read.
    case malformed(reason: String)
    /// The request has a target without pixels, or a crop that is empty or not finite. `reason` is a text for people to
    /// read.
    case invalidRequest(reason: String)
    /// The rendering exceeds the bound of `RenderLimits` that `limit` names.
    case limitExceeded(limit: Limit)
    /// The file has no preview that can be used for the request.
    case noPreview
    /// The caller cancelled the rendering.
    case cancelled
    /// The file could not be read.
    case source(ByteSourceError)
    /// The result could not be encoded. `reason` is a text for people to read.
    case encodingFailed(reason: String)

    /// The limits that a rendering can exceed.
    public enum Limit: String, Sendable {
        /// The limit `RenderLimits.pixelCount`.
        case pixels
        /// The limit `RenderLimits.byteCount`.
        case bytes
        /// The limit `RenderLimits.frameCount`.
        case frames
        /// The limit `RenderLimits.memoryByteCount`.
        case memory
        /// The limit `RenderLimits.duration`.
        case duration
    }

    /// Whether the file's contents are the reason, so that another attempt would fail as well. Only such errors are
    /// remembered.
    package var isCausedByFile: Bool {
        switch self {
        case .malformed, .truncated, .unsupportedFormat: true
        case .decoderFailed(let signal?): Self.crashes.contains(signal)
        default: false
        }
    }

    /// The signals by which a decoder's own fault ends its process. SIGKILL is not among them, because the system sends
    /// it when memory is short.
    private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGXCPU, SIGXFSZ, SIGSYS]

    /// A short name of the error for logs, reports and statistics. It stays the same in every version of the library.
    public var code: String {
        switch self {
        case .unsupportedFormat: "unsupportedFormat"
        case .truncated: "truncated"
        case .unavailable: "unavailable"
        case .decoderFailed: "decoderFailed"
        case .malformed: "malformed"
        case .invalidRequest: "invalidRequest"
        case .limitExceeded(.pixels): "pixelLimitExceeded"
        case .limitExceeded(.bytes): "byteLimitExceeded"
        case .limitExceeded(.frames): "frameLimitExceeded"
        case .limitExceeded(.memory): "memoryLimitExceeded"
        case .limitExceeded(.duration): "timeLimitExceeded"
        case .noPreview: "noPreview"
        case .cancelled: "cancelled"
        case .source(.notFound): "notFound"
        case .source(.network): "network"
        case .source: "unreadable"
        case .encodingFailed: "encodingFailed"
        }
    }
}
