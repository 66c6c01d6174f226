import ThumbwheelCore
import ThumbwheelFormats

/// An image as a file in memory: an asset's own, or an encoded thumbnail.
public struct ImageData: Sendable {
    public let bytes: [UInt8]
    public let contentType: ContentType
    /// How the stored pixels lie. Thumbnails are upright; an asset's own file is as it came.
    public let orientation: ImageOrientation
    /// In pixels, upright.
    public let pixelSize: PixelSize
    public let entityTag: EntityTag
}

/// What the handler of a request for data receives, exactly once (row 114).
public enum ImageDataResult: Sendable {
    case final(ImageData, ImageInfo)
    case failed(ImageRequestError, ImageInfo)
    case cancelled
}
