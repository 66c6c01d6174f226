import ThumbwheelCore
import ThumbwheelRendering

/// What is known of an image besides its pixels.
package struct ImageFacts: Sendable {
    package var pixelSize: PixelSize
    package var byteCount: Int
    /// Nil, as are the next two, where nothing was decoded.
    package var source: ImageInfo.Source?
    package var eighths: Int?
    package var decoder: RenderedImage.Decoder?
    package var isPartial: Bool
    /// Whether it was made of a decode at a larger scale than its own, or with finer chroma, which it shared, or of another
    /// rendition.
    package var isOfLargerDecode = false
    package var renderNumber: UInt64 = 0
    package var renderMilliseconds = 0.0
    package var isFromNetwork = false
    package var networkMilliseconds = 0.0
    /// The tier that the image belongs to by its form.
    package var tier = MemoryTier.bitmaps
    /// What of the photograph it shows, where that is known for sure.
    package var geometry: RenditionGeometry?

    /// Whether it must be unpacked before it is delivered.
    package var isPacked: Bool { !tier.isReady }

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
