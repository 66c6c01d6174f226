import ThumbwheelRendering

/// An image that `ImageManager.images(for:targetSize:contentMode:options:)` delivers.
public struct DeliveredImage: Sendable {
    /// The pixels of the image.
    public let bitmap: Bitmap
    /// The facts about the image; `info.isDegraded` tells whether a better image follows.
    public let info: ImageInfo
}
