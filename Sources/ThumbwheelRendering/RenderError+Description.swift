import ThumbwheelCore

extension RenderError: CustomStringConvertible {
    /// A description of the error, for people to read.
    public var description: String {
        switch self {
        case .unsupportedFormat: "a format that is not rendered"
        case .truncated(let fraction):
            fraction > 0
                ? "the file ends too soon; \(Int(fraction * 100)) % could be decoded" : "the file ends too soon"
        case .malformed(let reason), .invalidRequest(let reason), .encodingFailed(let reason): reason
        case .unavailable(let reason): "the decoder is not available: \(reason)"
        case .decoderFailed(let signal?): "the decoder's process was ended by signal \(signal)"
        case .decoderFailed(nil): "the decoder's process broke off"
        case .limitExceeded(let limit): "beyond the limit of \(limit.rawValue)"
        case .noPreview: "no preview in the file"
        case .cancelled: "cancelled"
        case .source(.notFound): "the file is gone"
        case .source(.network(let error)): error.description
        case .source: "the file cannot be read"
        }
    }
}
