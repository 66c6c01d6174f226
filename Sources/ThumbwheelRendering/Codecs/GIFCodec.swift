import ThumbwheelCore
import ThumbwheelFormats

/// The codec of GIF, which this library's own decoder reads. Only the first picture of an animation is shown.
struct GIFCodec: Codec {
    let contentTypes = [ContentType.gif]
    let colorPrecedence = ColorPrecedence.profileFirst
    let readsWholeProfile = false

    func decoders(for head: ImageHead) -> [RenderedImage.Decoder] { [.gif] }

    func eighths(of decoder: RenderedImage.Decoder) -> [Int] { [8] }

    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead, byteCount: Int?) -> Bool { true }

    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool { false }

    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed {
        DecodeSpeed(codedBytes: 1_200_000, storedPixels: 2_500_000)
    }

    /// The memory that a decode needs: for the palette indices of the whole picture, for the decoder's dictionary of
    /// codes and for the decoder's input buffer.
    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory {
        let bytes = head.storedPixelCount + 114_688
        return DecoderMemory(typical: bytes, maximum: bytes)
    }

    func fitsMinimumLimit(_ bytes: any ByteSource) -> Bool { false }

    func announcesWholePicture(_ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard) -> Bool {
        true
    }

    func isReadByRanges(_ head: ImageHead, quality: RenderQuality) -> Bool { false }

    func neededRanges(_ input: DecoderInput) -> [Range<Int>]? { nil }

    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        try GIFDecode(input.bytes, head: input.head, limits: input.limits, guardian: input.guardian)
    }
}
