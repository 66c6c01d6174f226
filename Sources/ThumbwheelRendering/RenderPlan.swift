import ThumbwheelCore
import ThumbwheelFormats

/// The source and the decoder of an image, as far as its head tells: nothing is decoded for it.
public struct RenderPlan: Sendable, Hashable {
    /// The part of the file that the pixels would come from.
    public var source: RenderedImage.Source
    /// The decode's scale in eighths.
    public var eighths: Int
    /// The decoder that would make them.
    public var decoder: RenderedImage.Decoder
    /// The size of the image in pixels.
    public var outputSize: PixelSize
    /// Whether the decoder ends soon after a cancellation; others run on to their end.
    public var isStoppable: Bool

    /// The preview that a degraded image would be made from first; nil if the file has none that could serve.
    public var degradedPreview: EmbeddedPreview?
    /// The preview that a final image of fast quality would be made from first; nil if none covers the target.
    public var fastPreview: EmbeddedPreview?

    /// - Throws: `.unsupportedFormat` for types that no decoder is allowed to take, `.invalidRequest` for options that no
    ///   rendering could satisfy.
    public init(head: ImageHead, options: RenderOptions) throws(RenderError) {
        let isRAW = head.contentType.isRAW
        let head = head.ofPicture
        guard let chosen = head.chosenDecoder else { throw isRAW ? .noPreview : .unsupportedFormat }
        let geometry = try RenditionGeometry(
            displaySize: head.displaySize, options: options, naturalEighths: chosen.eighths)
        source = isRAW ? .embedded : geometry.decodeEighths == 8 ? .full : .reduced
        eighths = geometry.decodeEighths
        decoder = chosen.decoder
        outputSize = geometry.outputSize
        isStoppable = chosen.isStoppable(for: head)
        let search = PreviewSearch(head: head, geometry: geometry)
        degradedPreview = search.degraded.first
        fastPreview = options.resizeMode == .none ? nil : search.covering.first
    }
}
