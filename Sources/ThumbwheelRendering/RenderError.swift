import ThumbwheelCore

/// Why an image could not be rendered.
public enum RenderError: Error, Equatable, Sendable {
    /// The bytes are of no type on the allow-list.
    case unsupportedFormat
    /// The file ends too soon. `decodedFraction` is the fraction of the image's height that was decoded; in a file of
    /// several scans, that of the scan in which the file ends.
    case truncated(decodedFraction: Double)
    /// A decoder's library cannot be started, or lacks memory; the file is not at fault. `reason` is for people.
    case unavailable(reason: String)
    /// The file contradicts itself or the format's rules; `reason` is for people.
    case malformed(reason: String)
    /// A target of no pixels, or a crop that is empty or not finite.
    case invalidRequest(reason: String)
    /// A `RenderLimits` bound, named by `limit`.
    case limitExceeded(limit: Limit)
    /// The file holds no preview that could serve.
    case noPreview
    /// The caller cancelled the rendering.
    case cancelled
    /// The file could not be read.
    case source(ByteSourceError)
    /// The result could not be encoded; `reason` is for people.
    case encodingFailed(reason: String)

    /// The limits that a rendering can exceed.
    public enum Limit: String, Sendable {
        /// `RenderLimits.pixelCount`.
        case pixels
        /// `RenderLimits.byteCount`.
        case bytes
        /// `RenderLimits.frameCount`.
        case frames
        /// `RenderLimits.memoryByteCount`.
        case memory
        /// `RenderLimits.duration`.
        case duration
    }

    /// A short name for documents and statistics: the same in every version of the library.
    public var code: String {
        switch self {
        case .unsupportedFormat: "unsupportedFormat"
        case .truncated: "truncated"
        case .unavailable: "unavailable"
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
