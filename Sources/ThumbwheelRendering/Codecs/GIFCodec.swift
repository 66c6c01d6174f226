import ThumbwheelCore
import ThumbwheelFormats

/// GIF, read by libvips. The first picture of an animation is shown.
struct GIFCodec: Codec {
    let contentTypes = [ContentType.gif]
    let colorRules = ColorRules.profileFirst
    let readsWholeProfile = false

    func decoders(for head: ImageHead) -> [RenderedImage.Decoder] { [.vips] }

    func eighths(of decoder: RenderedImage.Decoder) -> [Int] { [8] }

    /// The library reads all there is and then decodes in one go.
    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead) -> Bool { false }

    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool { false }

    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed {
        DecodeSpeed(codedBytes: 400_000, storedPixels: 250_000)
    }

    /// Measured on libvips 8.14.
    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory {
        let bytes = head.storedPixelCount * 12 + Double(byteCount)
        return DecoderMemory(usual: bytes, most: bytes)
    }

    func takesCertainMemory(_ bytes: any ByteSource) -> Bool { false }

    func announcesWholePicture(_ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard) -> Bool {
        true
    }

    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        var bytes = input.bytes
        var layout = SampleLayout()
        // The head does not say where the first picture lies: few files are animations.
        if let first = try GIFFirstPicture(in: bytes, checking: input.guardian) {
            layout.correction = .clearOutside(columns: first.columns, rows: first.rows)
            if input.head.frameCount > 1, let file = try first.file(in: bytes, checking: input.guardian) {
                bytes = file
            }
        }
        return try VipsDecode(bytes, input, loader: .gif, layout: layout)
    }
}

extension VipsLoader {
    /// A whole file ends with a trailer (GIF89a, 27).
    static let gif = VipsLoader(operation: "gifload_source") { bytes throws(ByteSourceError) in
        try bytes.bytes(in: max(0, bytes.byteCount - 1)..<bytes.byteCount) != [0x3B]
    }
}
