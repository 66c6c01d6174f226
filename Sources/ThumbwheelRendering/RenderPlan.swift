import ThumbwheelCore
import ThumbwheelFormats

/// A prediction of how an image would be made: from which part of the file, and by which decoder. It is made from the
/// facts in the file's header. Making a plan decodes nothing.
public struct RenderPlan: Sendable, Hashable {
    /// The source of the pixels: a preview in the file, or a decode of the image at reduced or full size.
    public var source: RenderedImage.Source
    /// The scale of the decode in eighths of full size.
    public var eighths: Int
    /// The decoder that would make the pixels.
    public var decoder: RenderedImage.Decoder
    /// The size of the image in pixels.
    public var outputSize: PixelSize
    /// Whether the decoder ends soon after a cancellation. If not, the decode runs to its end. The length of the file is
    /// not known here: a WebP whose pixels take almost no bytes cannot be stopped either.
    public var isStoppable: Bool

    /// The preview that is tried first for a degraded image, which is shown until the final image has been made; nil if
    /// the file has no suitable preview.
    public var degradedPreview: EmbeddedPreview?
    /// The preview that is tried first for a final image of fast quality; nil if no preview has enough pixels for the
    /// target.
    public var fastPreview: EmbeddedPreview?

    /// Predicts how an image would be made from the file whose header contains the facts in `head`.
    ///
    /// - Throws: `.unsupportedFormat` for a file that no decoder can read, `.noPreview` for a RAW file without a
    ///   preview, `.invalidRequest` for options that no rendering could satisfy.
    public init(head: ImageHead, options: RenderOptions) throws(RenderError) {
        let isRAW = head.contentType.isRAW
        let isInside = isRAW || head.shownCover != nil
        let head = head.ofPicture
        guard let chosen = head.chosenDecoder else { throw isRAW ? .noPreview : .unsupportedFormat }
        let geometry = try RenditionGeometry(
            displaySize: head.displaySize, options: options, naturalEighths: chosen.eighths)
        source = isInside ? .embedded : geometry.decodeEighths == 8 ? .full : .reduced
        eighths = geometry.decodeEighths
        decoder = chosen.decoder
        outputSize = geometry.outputSize
        isStoppable = chosen.isStoppable(for: head, byteCount: nil)
        let search = PreviewSearch(head: head, geometry: geometry)
        degradedPreview = search.degraded.first
        fastPreview = options.resizeMode == .none || options.pixelRange == .extended ? nil : search.covering.first
    }
}
