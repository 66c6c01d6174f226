import ThumbwheelCore
import ThumbwheelFormats

/// An image as a file in memory: an asset's own file, or an encoded thumbnail.
public struct ImageData: Sendable {
    /// The bytes of the file.
    public let bytes: [UInt8]
    /// The content type, found by looking at the bytes.
    public let contentType: ContentType
    /// The orientation of the stored pixels. Thumbnails are upright; an asset's own file has the orientation that it
    /// came with.
    public let orientation: ImageOrientation
    /// The size of the upright image in pixels.
    public let pixelSize: PixelSize
    /// The validator of the bytes: equal tags mean equal bytes.
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

    /// The memory that the bytes take, with the array's own fields and the room by which the allocator has rounded it up. For
    /// thumbnails of some kilobytes that is a tenth more than the bytes.
    package var memoryByteCount: Int { bytes.capacity + Self.arrayOverhead }

    private static let arrayOverhead = 32
}
