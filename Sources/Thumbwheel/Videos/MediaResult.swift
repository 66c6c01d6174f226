import ThumbwheelPipeline

/// The one result of a request for a movie, for an item to play, or for an export session.
public enum MediaResult<Value: Sendable>: Sendable {
    /// The value that was asked for.
    case final(Value, ImageInfo)
    /// The error that ended the request.
    case failed(ImageRequestError, ImageInfo)
    /// The request was cancelled.
    case cancelled(ImageInfo)

    /// The value that was asked for; nil for other results.
    public var value: Value? {
        if case .final(let value, _) = self { value } else { nil }
    }

    /// The facts about the result. Those that concern pixels are not set.
    public var info: ImageInfo {
        switch self {
        case .final(_, let info), .failed(_, let info), .cancelled(let info): info
        }
    }

    /// Returns the value that was asked for.
    ///
    /// - Throws: `ImageRequestError`, `.cancelled` if the request was cancelled.
    public func get() throws(ImageRequestError) -> Value {
        switch self {
        case .final(let value, _): return value
        case .failed(let error, _): throw error
        case .cancelled: throw .cancelled
        }
    }
}
