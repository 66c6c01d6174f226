/// The one result of a request for data.
public enum ImageDataResult: Sendable {
    /// The file that was asked for, and the facts about it.
    case final(ImageData, ImageInfo)
    /// The error that ended the request.
    case failed(ImageRequestError, ImageInfo)
    /// The request was cancelled; the facts name the request and its asset.
    case cancelled(ImageInfo)
}
