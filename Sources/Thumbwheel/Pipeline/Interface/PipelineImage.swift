import ThumbwheelCore
import ThumbwheelRendering

/// A finished render, as the pipeline holds it.
package struct PipelineImage: Sendable {
    /// The pixels; nil where there are bytes instead, and in simulated runs, which move sizes and times and no pixels.
    package var bitmap: Bitmap?
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
    /// Whether there are packed pixels in place of the bitmap.
    package var isPacked = false
    package var packed: PackedBitmap?
    /// What of the photograph it shows, where that is known for sure.
    package var geometry: RenditionGeometry?
    /// The file, where that was asked for. Behind all else, which a look at an image with pixels then finds close together.
    package var data: ImageData?

    package init(
        bitmap: Bitmap?, pixelSize: PixelSize, byteCount: Int, source: ImageInfo.Source?, eighths: Int?,
        decoder: RenderedImage.Decoder?, isPartial: Bool
    ) {
        self.bitmap = bitmap
        self.pixelSize = pixelSize
        self.byteCount = byteCount
        self.source = source
        self.eighths = eighths
        self.decoder = decoder
        self.isPartial = isPartial
    }

    /// The image with other pixels, or with its own unpacked.
    func consisting(of bitmap: Bitmap) -> PipelineImage {
        var image = self
        image.bitmap = bitmap
        image.packed = nil
        image.isPacked = false
        image.pixelSize = bitmap.size
        image.byteCount = bitmap.byteCount
        return image
    }

    /// The same pixels in fewer bytes.
    func consisting(of packed: PackedBitmap) -> PipelineImage {
        var image = self
        image.bitmap = nil
        image.packed = packed
        image.isPacked = true
        image.byteCount = packed.byteCount
        return image
    }
}

/// How a job ended on its worker.
package enum RenderOutcome: Sendable {
    /// What became of each rendition of the assignment, in the order of its keys.
    case ended([Result<PipelineImage, ImageRequestError>])
    /// None of them could be made.
    case failed(ImageRequestError)
    /// Cut short because it was told to stop.
    case stopped

    /// The one image of an assignment without companions.
    package static func image(_ image: PipelineImage) -> RenderOutcome { .ended([.success(image)]) }
}
