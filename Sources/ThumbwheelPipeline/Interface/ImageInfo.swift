import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// How a result came about.
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
    /// The asset that the request named: what a cell that may have been reused meanwhile compares with its own.
    public var asset: AssetIdentifier
    /// Whether a better image is to follow: never so with a final one.
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
    /// The time that the render took, in milliseconds, whenever it ran.
    public var renderMilliseconds = 0.0
    /// Whether the bytes came over a network, whenever that was.
    public var isFromNetwork = false
    /// The time that bringing the bytes took, in milliseconds.
    public var networkMilliseconds = 0.0
    /// Which render made the pixels: those of one render share its number.
    package var renderNumber: UInt64?

    package init(requestID: ImageRequestID, asset: AssetIdentifier) {
        self.requestID = requestID
        self.asset = asset
    }
}
