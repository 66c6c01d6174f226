import ThumbwheelCore
import ThumbwheelFormats

/// An image as a file in memory: an asset's own, or an encoded thumbnail.
public struct ImageData: Sendable {
    /// The bytes of the file.
    public let bytes: [UInt8]
    /// The type that the bytes show.
    public let contentType: ContentType
    /// How the stored pixels lie. Thumbnails are upright; an asset's own file is as it came.
    public let orientation: ImageOrientation
    /// In pixels, upright.
    public let pixelSize: PixelSize
    /// The validator of the bytes.
    public let entityTag: EntityTag

    package init(
        bytes: [UInt8], contentType: ContentType, orientation: ImageOrientation, pixelSize: PixelSize,
        entityTag: EntityTag
    ) {
        self.bytes = bytes
        self.contentType = contentType
        self.orientation = orientation
        self.pixelSize = pixelSize
        self.entityTag = entityTag
    }
}
