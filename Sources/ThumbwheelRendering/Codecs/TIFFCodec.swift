import ThumbwheelCore
import ThumbwheelFormats

/// TIFF, read by libvips.
struct TIFFCodec: Codec {
    let contentTypes = [ContentType.tiff]
    let colorRules = ColorRules.profileFirst
    let readsWholeProfile = true
    let decodesExactEighths = false

    func decoders(for head: ImageHead) -> [RenderedImage.Decoder] { head.tiff?.isOldJPEG == true ? [] : [.vips] }

    func eighths(of decoder: RenderedImage.Decoder) -> [Int] { [8] }

    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead) -> Bool { true }

    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool { false }

    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed {
        DecodeSpeed(codedBytes: 1_000_000, storedPixels: 130_000)
    }

    /// Rows, or the whole picture and its bytes if it is one strip.
    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory {
        DecoderMemory(usual: 0, most: head.storedByteCount + Double(byteCount))
    }

    func takesCertainMemory(_ bytes: any ByteSource) -> Bool { false }

    func announcesWholePicture(_ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard) -> Bool {
        true
    }

    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        try VipsDecode(
            input.bytes, input, loader: .tiff, layout: input.head.tiff.map { SampleLayout($0) } ?? SampleLayout())
    }
}

extension VipsLoader {
    static let tiff = VipsLoader(operation: "tiffload_source")
}
