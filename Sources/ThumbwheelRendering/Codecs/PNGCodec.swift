import ThumbwheelCore
import ThumbwheelFormats

/// The codec of PNG. PNG files are decoded by this library's own decoder.
struct PNGCodec: Codec {
    let contentTypes = [ContentType.png]
    let colorPrecedence = ColorPrecedence.codePointsFirst
    let readsWholeProfile = false

    func decoders(for head: ImageHead) -> [RenderedImage.Decoder] { [.png] }

    func eighths(of decoder: RenderedImage.Decoder) -> [Int] { [8] }

    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead, byteCount: Int?) -> Bool { true }

    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool { false }

    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed {
        DecodeSpeed(codedBytes: 120_000, storedPixels: 125_000)
    }

    /// The memory that a decode needs: for a few rows, or for all pixels if the file is interlaced.
    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory {
        let whole = head.storedByteCount
        return DecoderMemory(
            typical: head.isInterlaced ? whole : 0, maximum: whole, minimumLimit: head.isInterlaced ? whole : 0)
    }

    /// Whether the picture is not interlaced, so that memory for a few rows is enough for the decode;
    /// `DecoderMemory.minimumLimit` counts so little as 0 bytes. The decode of an interlaced picture holds all pixels
    /// in memory. Byte 28 of the file, the last one of the header chunk, is 0 if the picture is not interlaced. It is
    /// read because heads in older libraries do not tell of it.
    func fitsMinimumLimit(_ bytes: any ByteSource) throws(RenderError) -> Bool {
        var window = ByteWindow(bytes)
        return try window.byte(at: 28) == 0
    }

    func announcesWholePicture(_ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard) -> Bool {
        true
    }

    func isReadByRanges(_ head: ImageHead, quality: RenderQuality) -> Bool { false }

    func neededRanges(_ input: DecoderInput) -> [Range<Int>]? { nil }

    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        // If the file has valid code points, its calibration chunks `gAMA` and `cHRM` are ignored. Code points are
        // numbers that name a standard colour space (ITU-T H.273). The rule also applies to code points that name sRGB:
        // the samples are sRGB then, and are not converted.
        let codedColor = input.head.codedColor.flatMap { CodedColors($0, isVideoRangePossible: true) }
        return try PNGDecode(
            input.bytes, usesCalibration: codedColor == nil, keepsAllBits: input.keepsAllBits,
            showsDamage: input.quality == .fast, limits: input.limits, guardian: input.guardian)
    }
}
