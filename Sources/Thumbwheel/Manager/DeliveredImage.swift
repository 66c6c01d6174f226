import ThumbwheelRendering

/// An element of `ImageManager.images(for:targetSize:contentMode:options:)`.
public struct DeliveredImage: Sendable {
    /// The pixels.
    public let bitmap: Bitmap
    /// `info.isDegraded` tells whether a better one follows.
    public let info: ImageInfo
}
