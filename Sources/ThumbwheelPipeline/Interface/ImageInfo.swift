import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// The facts about a result: its request, the origin of its image, and the times taken.
public struct ImageInfo: Sendable, Equatable {
    /// The origins of pixels.
    public enum Source: String, Sendable {
        /// The manager's cache.
        case cache
        /// A preview embedded in the file.
        case embedded
        /// A decode at reduced scale.
        case reduced
        /// A decode at full size.
        case full
    }

    /// The request that the result is for.
    public var requestID: ImageRequestID
    /// The asset that the request named. A cell that may have been reused meanwhile compares it with its own asset.
    public var asset: AssetIdentifier
    /// Whether a better image is to follow; always false for a final image.
    public var isDegraded = false
    /// Whether only a part of the image could be decoded.
    public var isPartial = false
    /// The size of the image in pixels; nil if there is none.
    public var pixelSize: PixelSize?
    /// The origin of the pixels; nil if there is no image.
    public var source: Source?
    /// The scale of the decode in eighths; 8 is full size.
    public var eighths: Int?
    /// The decoder that made the pixels; nil if none did for this result.
    public var decoder: RenderedImage.Decoder?
    /// The time since the submission that neither the network nor the render took, in milliseconds; 0 if no render
    /// was needed.
    public var queueMilliseconds = 0.0
    /// The time that the render took, in milliseconds, even if it ran for an earlier request.
    public var renderMilliseconds = 0.0
    /// Whether the file's bytes came over a network, even if that was for an earlier request.
    public var isFromNetwork = false
    /// The time that bringing the bytes over the network took, in milliseconds.
    public var networkMilliseconds = 0.0
    /// The number of the render that made the pixels. All images of one render have its number.
    package var renderNumber: UInt64?

    package init(requestID: ImageRequestID, asset: AssetIdentifier) {
        self.requestID = requestID
        self.asset = asset
    }
}
