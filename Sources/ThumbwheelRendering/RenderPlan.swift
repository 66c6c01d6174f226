import ThumbwheelCore
import ThumbwheelFormats

/// What an image would be made from, as far as its head tells: nothing is decoded for it.
public struct RenderPlan: Sendable, Hashable {
    public var source: RenderedImage.Source
    /// The decode's scale in eighths.
    public var eighths: Int
    public var decoder: RenderedImage.Decoder
    public var outputSize: PixelSize
    /// Whether the decoder ends soon after a cancellation; others run on to their end.
    public var isStoppable: Bool

    /// - Throws: `.unsupportedFormat` for types that no decoder is allowed to take, `.invalidRequest` for options that no
    ///   rendering could satisfy.
    public init(head: ImageHead, options: RenderOptions) throws(RenderError) {
        let isRAW = head.contentType.isRAW
        let head = head.ofPicture
        guard let decoder = head.decoder else { throw isRAW ? .noPreview : .unsupportedFormat }
        let geometry = try RenditionGeometry(
            displaySize: head.displaySize, options: options,
            naturalEighths: RenditionGeometry.naturalEighths(for: head))
        source = isRAW ? .embedded : geometry.decodeEighths == 8 ? .full : .reduced
        eighths = geometry.decodeEighths
        self.decoder = decoder
        outputSize = geometry.outputSize
        isStoppable = head.isStoppable
    }
}

extension ImageHead {
    /// The decoder that takes the picture; nil where none is allowed to.
    package var decoder: RenderedImage.Decoder? {
        switch VipsLoader(self) {
        case nil: contentType == .bmp ? .bmp : nil
        case .jpeg where isForOwnJPEGDecoder: .jpeg
        case .webp where isForIncrementalWebPDecoder: .webp
        default: .vips
        }
    }

    /// Whether a decode of the picture ends soon after it is told to.
    var isStoppable: Bool { isStoppable(by: decoder) }

    /// - Parameter decoder: that which takes the picture.
    func isStoppable(by decoder: RenderedImage.Decoder?) -> Bool {
        decoder != .vips || VipsLoader(contentType)?.isStoppable ?? true
    }
}

extension VipsLoader {
    /// Whether a decode ends soon after its source begins to fail. The libraries behind the others read all there is and
    /// then decode in one go.
    fileprivate var isStoppable: Bool { self != .webp && self != .gif && !appliesOrientation }
}
