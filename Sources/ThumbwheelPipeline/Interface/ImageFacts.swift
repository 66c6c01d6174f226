import ThumbwheelCore
import ThumbwheelRendering

/// The facts about an image, without its pixels.
package struct ImageFacts: Sendable {
    package var pixelSize: PixelSize
    package var byteCount: Int
    /// The way in which the pixels were made, for example by a decode at full size. This property and the next two,
    /// `eighths` and `decoder`, are nil if nothing was decoded.
    package var source: ImageInfo.Source?
    package var eighths: Int?
    package var decoder: RenderedImage.Decoder?
    package var isPartial: Bool
    /// Whether the pixels may differ slightly from those of a decode for this image alone. If so, no file is made from
    /// these pixels, because files with the same entity tag must be equal byte for byte. True in each of these cases:
    /// - The image was made from a cached rendition of another kind or size.
    /// - The image was decoded together with others, at a larger scale or with finer chroma than it needs.
    /// - The image was made from cached pixels for which this property is true.
    package var mayDifferFromOwnDecode = false
    package var renderNumber: UInt64 = 0
    package var renderMilliseconds = 0.0
    package var isFromNetwork = false
    package var networkMilliseconds = 0.0
    /// The form in which the image lies in memory: packed, or ready to be delivered.
    package var memoryTier = MemoryTier.bitmaps
    /// The storage tier (a store on disk or shared by servers) in which the image was found; nil if the image was not
    /// found in a tier but rendered. It says nothing about the way in which the pixels were made; `source` does.
    package var storageTier: StorageTier?
    /// The part of the photograph that the image shows, and its scale; nil if they are not known exactly.
    package var geometry: RenditionGeometry?

    /// Whether the image must be unpacked before it is delivered.
    package var isPacked: Bool { !memoryTier.isReady }

    package init(
        pixelSize: PixelSize, byteCount: Int, source: ImageInfo.Source? = nil, eighths: Int? = nil,
        decoder: RenderedImage.Decoder? = nil, isPartial: Bool = false
    ) {
        self.pixelSize = pixelSize
        self.byteCount = byteCount
        self.source = source
        self.eighths = eighths
        self.decoder = decoder
        self.isPartial = isPartial
    }
}
