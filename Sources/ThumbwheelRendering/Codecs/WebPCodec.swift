import CVips
import ThumbwheelCore
import ThumbwheelFormats

/// The codec of WebP. Most files are decoded by libwebp's incremental decoder. It decodes lossy pictures without alpha
/// to planes of luma and chroma, and each plane is resampled directly from its own resolution. Lossy pictures with
/// alpha are decoded to planes too, which are then reduced to pixels. Files with a colour profile for printing inks are
/// decoded by libvips, because their colours have to be converted row by row before they are resampled.
struct WebPCodec: Codec {
    let contentTypes = [ContentType.webp]
    let colorPrecedence = ColorPrecedence.profileFirst
    let readsWholeProfile = true

    func decoders(for head: ImageHead) -> [RenderedImage.Decoder] {
        head.profile?.isOfInks ?? false ? [.vips] : [.webp]
    }

    func eighths(of decoder: RenderedImage.Decoder) -> [Int] { Array(1...8) }

    /// A decode by libvips cannot be stopped, because libvips gives libwebp the whole file to decode in one call. Our
    /// own decode can be stopped between two pieces of the file. A piece of a picture of one colour may hold hundreds of
    /// megapixels, though, and libwebp decodes them in one call of seconds.
    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead, byteCount: Int?) -> Bool {
        guard decoder != .vips else { return false }
        guard let byteCount else { return true }
        return head.storedPixelCount <= Self.uninterruptedPixelCount + Self.densestPixelCount * Double(byteCount)
    }

    /// The number of pixels that are decoded in a few milliseconds, however few bytes they take.
    private static let uninterruptedPixelCount = 2e6
    /// The number of pixels for each byte above which a picture is of one colour in large parts. Photographs have less
    /// than 100.
    private static let densestPixelCount = 200.0

    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool { false }

    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed {
        DecodeSpeed(codedBytes: 100_000, storedPixels: 240_000, decodedPixels: 200_000)
    }

    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory {
        let (pixels, scale) = (head.storedPixelCount, Double(eighths) / 8)
        let decoded = pixels * 4 * scale * scale
        // A lossless picture is decoded to four bytes a pixel at full size before it is scaled. Of a lossy picture, the
        // planes take 1.5 bytes for each pixel of the full size, or their scaled pixels four. Alpha is decoded as a
        // plane of the full size, and copied to the other planes. It is coded without loss: most often it is decoded
        // through indices of one byte, but a file may use codings for which libwebp takes four bytes a pixel.
        let lossless = pixels * 4 + decoded
        let planes = max(decoded, pixels * (head.hasAlpha ? 2.5 : 1.5))
        let (indices, worst) = head.hasAlpha ? (pixels * 2, pixels * 5) : (0, 0)
        // Heads in older libraries do not tell that a picture is lossless.
        return DecoderMemory(
            typical: (head.isLossless ? lossless : planes + indices) + Double(byteCount),
            maximum: (head.isLossless ? lossless : max(lossless, planes + worst)) + Double(byteCount))
    }

    func fitsMinimumLimit(_ bytes: any ByteSource) -> Bool { false }

    func announcesWholePicture(_ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard) -> Bool {
        true
    }

    func isReadByRanges(_ head: ImageHead, quality: RenderQuality) -> Bool { false }

    func neededRanges(_ input: DecoderInput) -> [Range<Int>]? { nil }

    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        if input.decoder == .vips { return try VipsDecode(input.bytes, input, loader: .webp) }
        try input.guardian.checkForeignCodeIsAllowed()
        let container = try WebPContainer(input.bytes)
        let keepsProfile = input.conversion == .output
        var options = WebPRows.Options()
        options.reduction = Self.reduction(
            for: input, shorterSide: min(container.canvas.width, container.canvas.height))
        options.isFiltered = options.reduction < Self.unfilteredReduction
        if container.isPlainLossy, !input.deliversDecode {
            return try WebPRows(
                input.bytes, container, options, keepsProfile: keepsProfile, limits: input.limits,
                guardian: input.guardian)
        }
        if container.isLossy, container.coversCanvas, options.reduction > 1, !input.deliversDecode {
            return try WebPAlphaRows(
                input.bytes, container, options, keepsProfile: keepsProfile, limits: input.limits,
                guardian: input.guardian)
        }
        return try WebPDecode(
            input.bytes, container, eighths: input.eighths, keepsProfile: keepsProfile, limits: input.limits,
            guardian: input.guardian)
    }

    /// Returns how many pixels of the full-size picture are averaged into one decoded pixel, in each direction. The
    /// number follows from `input.reduction` and the scale of the decode. It is 1 or even, so that each block of
    /// averaged pixels covers whole samples of chroma.
    ///
    /// At fast quality, a number above 2 is halved, so that the decode has more detail. That takes little extra time,
    /// because the planes are decoded at full size anyway.
    private static func reduction(for input: DecoderInput, shorterSide: Int) -> Int {
        var reduction = input.reduction * 8 / input.eighths
        if input.quality == .fast, reduction > 2 { reduction /= 2 }
        reduction = min(reduction, shorterSide, SampleReducer.limit)
        return reduction > 1 ? reduction & ~1 : 1
    }

    /// If each side of the picture is reduced by this factor or more, libwebp is told not to smooth the edges of coding
    /// blocks. In such a small picture, smoothing makes no visible difference. libwebp itself also leaves the smoothing
    /// out when it scales a picture.
    private static let unfilteredReduction = 2
}

extension VipsLoader {
    static let webp = VipsLoader(
        eighths: Array(1...8), isCutShort: isRIFFCutShort,
        load: { source, image, eighths, strictness in
            tw_vips_webpload(source, image, Double(eighths) / 8, strictness)
        })

    /// Whether the file is cut short: its RIFF container claims to be longer than the file.
    private static let isRIFFCutShort: Evidence = { bytes throws(ByteSourceError) in
        let head = try bytes.bytes(in: 4..<8)
        guard head.count == 4 else { return true }
        let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
        return length + 8 > bytes.byteCount
    }
}
