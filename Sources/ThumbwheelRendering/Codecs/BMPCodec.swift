import ThumbwheelCore
import ThumbwheelFormats

/// The codec of Windows and OS/2 bitmaps, which this library's own decoder reads.
struct BMPCodec: Codec {
    let contentTypes = [ContentType.bmp]
    let colorPrecedence = ColorPrecedence.profileFirst
    let readsWholeProfile = false

    func decoders(for head: ImageHead) -> [RenderedImage.Decoder] { [.bmp] }

    func eighths(of decoder: RenderedImage.Decoder) -> [Int] { [8] }

    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead, byteCount: Int?) -> Bool { true }

    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool { false }

    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed {
        DecodeSpeed(codedBytes: 1_000_000, storedPixels: 130_000)
    }

    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory { .rows }

    func fitsMinimumLimit(_ bytes: any ByteSource) -> Bool { false }

    func announcesWholePicture(_ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard) -> Bool {
        true
    }

    func isReadByRanges(_ head: ImageHead, quality: RenderQuality) -> Bool { false }

    func neededRanges(_ input: DecoderInput) -> [Range<Int>]? { nil }

    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        try BMPDecode(input.bytes, limits: input.limits, guardian: input.guardian)
    }
}
