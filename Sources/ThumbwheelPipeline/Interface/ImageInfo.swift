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
    /// The asset that the request named. A cell of a grid may show another asset by now, so the cell should compare
    /// this asset with its own.
    public var asset: AssetIdentifier
    /// Whether a better image will follow; always false for a final image.
    public var isDegraded = false
    /// Whether only a part of the image could be decoded.
    public var isPartial = false
    /// Whether the asset's file has to be fetched over a network before a final image can be made. True for a degraded
    /// image if the file is not stored locally, and for a request that failed with `.networkAccessRequired`. Always
    /// false for a final image, because nothing has to be fetched for it any more.
    public var isInCloud = false
    /// The size of the image in pixels; nil if there is none.
    public var pixelSize: PixelSize?
    /// The origin of the pixels; nil if there is no image.
    public var source: Source?
    /// The scale at which the photograph was decoded, in eighths of full size: 8 is full size, 4 is half the width and
    /// half the height. Nil if nothing was decoded.
    public var eighths: Int?
    /// The decoder that made the pixels, even if it ran for an earlier request; nil if nothing was decoded.
    public var decoder: RenderedImage.Decoder?
    /// Whether the pixels come from a store, on disk or shared by servers. True even if the pixels were found there for
    /// an earlier request.
    public var isFromStore = false
    /// The storage tier (a store on disk or shared by servers) in which the image was found; nil if it has been
    /// rendered.
    package var storageTier: StorageTier?
    /// The time from the submission to the result, without the times that the network and the render took, in
    /// milliseconds; 0 for an image from the cache.
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

    /// Makes the facts about a request that was cancelled by a scrolling grid (module `ThumbwheelGrid`). A grid knows
    /// its requests by numbers of its own, not by identifiers of the manager. So `requestID` is 0.
    package init(cancelled asset: some AssetReference) {
        self.init(requestID: ImageRequestID(rawValue: 0), asset: asset.identifier)
    }
}
