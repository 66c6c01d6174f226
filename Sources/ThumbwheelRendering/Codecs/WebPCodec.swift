import CVips
import ThumbwheelCore
import ThumbwheelFormats

/// The codec of WebP. libwebp's incremental decoder reads it, lossy pictures without alpha as planes, each of which is
/// resampled from its own scale. libvips reads pictures whose colours have to be converted while rows stream.
struct WebPCodec: Codec {
    let contentTypes = [ContentType.webp]
    let colorRules = ColorRules.profileFirst
    let readsWholeProfile = true

    func decoders(for head: ImageHead) -> [RenderedImage.Decoder] {
        head.profile?.isOfInks ?? false ? [.vips] : [.webp]
    }

    func eighths(of decoder: RenderedImage.Decoder) -> [Int] { Array(1...8) }

    /// A decode by libvips cannot be stopped, because libvips gives libwebp the whole file to decode in one call.
    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead) -> Bool { decoder != .vips }

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
        // Planes are as large as the picture; a lossless one is decoded whole before it is scaled.
        let usual = head.hasAlpha ? decoded : max(decoded, pixels * 1.5)
        return DecoderMemory(usual: usual + Double(byteCount), most: pixels * 4 + decoded + Double(byteCount))
    }

    func takesCertainMemory(_ bytes: any ByteSource) -> Bool { false }

    func announcesWholePicture(_ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard) -> Bool {
        true
    }

    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        if input.decoder == .vips { return try VipsDecode(input.bytes, input, loader: .webp) }
        let container = try WebPContainer(input.bytes)
        let keepsProfile = input.conversion == .output
        guard container.isPlainLossy, !input.deliversDecode else {
            return try WebPDecode(
                input.bytes, container, eighths: input.eighths, keepsProfile: keepsProfile, limits: input.limits,
                guardian: input.guardian)
        }
        var options = WebPRows.Options()
        options.reduction = Self.reduction(
            for: input, shorterSide: min(container.canvas.width, container.canvas.height))
        options.isFiltered = options.reduction < Self.unfilteredReduction
        return try WebPRows(
            input.bytes, container, options, keepsProfile: keepsProfile, limits: input.limits,
            guardian: input.guardian)
    }

    /// The pixels, each way, of which one is made: as many as the scale leaves out and no image needs, or fewer, so that blocks
    /// lie over whole samples of chroma. As the planes are decoded in full, a fast image is not made of fewer samples than it
    /// can show.
    private static func reduction(for input: DecoderInput, shorterSide: Int) -> Int {
        var reduction = input.reduction * 8 / input.eighths
        if input.quality == .fast, reduction > 2 { reduction /= 2 }
        reduction = min(reduction, shorterSide, SampleReducer.limit)
        return reduction > 1 ? reduction & ~1 : 1
    }

    /// The reduction from which nobody sees whether edges of blocks were smoothed: libwebp, too, leaves that out where it scales.
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
