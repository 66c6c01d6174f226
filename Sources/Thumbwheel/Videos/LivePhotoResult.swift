import ThumbwheelPipeline

/// A result of a request for a Live Photo. Each request gets any number of degraded Live Photos, then one result of the
/// other three cases, and nothing after that.
public enum LivePhotoResult: Sendable {
    /// A Live Photo to show until the final one comes. It may have no movie yet.
    case degraded(LivePhoto, ImageInfo)
    /// The Live Photo that was asked for, with its movie.
    case final(LivePhoto, ImageInfo)
    /// The error that ended the request.
    case failed(ImageRequestError, ImageInfo)
    /// The request was cancelled.
    case cancelled(ImageInfo)

    /// The Live Photo of a degraded or final result; nil for other results.
    public var livePhoto: LivePhoto? {
        switch self {
        case .degraded(let photo, _), .final(let photo, _): photo
        case .failed, .cancelled: nil
        }
    }

    /// The facts about the result. Those that concern pixels are the facts about the still.
    public var info: ImageInfo {
        switch self {
        case .degraded(_, let info), .final(_, let info), .failed(_, let info), .cancelled(let info): info
        }
    }

    /// Whether this is the last result of its request.
    public var isTerminal: Bool {
        if case .degraded = self { false } else { true }
    }
}
