import ThumbwheelRendering

/// A result of a request. Each request gets any number of degraded images, then one result of the other three cases,
/// and nothing after that. See <doc:Semantics#Requests-that-end>.
public enum ImageResult: Sendable {
    /// An image to show until the final one comes.
    case degraded(Bitmap, ImageInfo)
    /// The image that was asked for.
    case final(Bitmap, ImageInfo)
    /// The error that ended the request.
    case failed(ImageRequestError, ImageInfo)
    /// The request was cancelled; the facts name the request and its asset.
    case cancelled(ImageInfo)

    /// The pixels of a degraded or final image; nil for other results.
    public var bitmap: Bitmap? {
        switch self {
        case .degraded(let bitmap, _), .final(let bitmap, _): bitmap
        case .failed, .cancelled: nil
        }
    }

    /// The facts about the result.
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
