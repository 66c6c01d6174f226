/// The one result of a request for data.
public enum ImageDataResult: Sendable {
    /// The file.
    case final(ImageData, ImageInfo)
    /// The error that ended the request.
    case failed(ImageRequestError, ImageInfo)
    /// The request was cancelled.
    case cancelled
}
