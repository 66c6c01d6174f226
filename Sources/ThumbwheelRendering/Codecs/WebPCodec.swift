import CVips
import ThumbwheelCore
import ThumbwheelFormats

/// The codec of WebP. libwebp's incremental decoder reads it, or libvips if the colours have to be converted while rows
/// stream.
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
        DecodeSpeed(codedBytes: 100_000, storedPixels: 220_000, decodedPixels: 200_000)
    }

    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory {
        let (pixels, scale) = (head.storedPixelCount, Double(eighths) / 8)
        let decoded = pixels * 4 * scale * scale
        return DecoderMemory(usual: decoded + Double(byteCount), most: pixels * 4 + decoded + Double(byteCount))
    }

    func takesCertainMemory(_ bytes: any ByteSource) -> Bool { false }

    func announcesWholePicture(_ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard) -> Bool {
        true
    }

    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        if input.decoder == .vips { return try VipsDecode(input.bytes, input, loader: .webp) }
        return try WebPDecode(
            input.bytes, eighths: input.eighths, keepsProfile: input.conversion == .output, limits: input.limits,
            guardian: input.guardian)
    }
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
