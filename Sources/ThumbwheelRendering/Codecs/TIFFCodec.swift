import ThumbwheelCore
import ThumbwheelFormats

/// The codec of TIFF. This library's own decoder reads grey, RGB and palette pictures in the common compressions. If a
/// file has several versions of its page, the smallest one that is large enough for the requested images is decoded.
/// libvips reads the other files.
struct TIFFCodec: Codec {
    let contentTypes = [ContentType.tiff]
    let colorPrecedence = ColorPrecedence.profileFirst
    let readsWholeProfile = true

    func decoders(for head: ImageHead) -> [RenderedImage.Decoder] {
        guard let coding = head.tiff, !coding.isOldJPEG else { return [] }
        // Pictures in printing inks, such as CMYK, have to be converted row by row before they are resampled. Only
        // libvips does that.
        guard TIFFCompression(rawValue: coding.compression) != nil, !(head.profile?.isOfInks ?? false) else {
            return [.vips]
        }
        return [.tiff, .vips]
    }

    func eighths(of decoder: RenderedImage.Decoder) -> [Int] { [8] }

    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead, byteCount: Int?) -> Bool { true }

    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool { false }

    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed {
        guard decoder == .tiff, let compression = (head.tiff?.compression).flatMap(TIFFCompression.init) else {
            return DecodeSpeed(codedBytes: 1_000_000, storedPixels: 130_000)
        }
        let codedBytes: Double =
            switch compression {
            case .none, .packBits: 10_000_000
            case .deflate, .formerDeflate, .lzw: 340_000
            case .jpeg: 175_000
            }
        return DecodeSpeed(codedBytes: codedBytes, storedPixels: 1_600_000)
    }

    /// The memory that a decode needs: for a few rows, for the strips or tiles that lie side by side if their
    /// compression needs them as a whole, or, if libvips reads a picture that is one strip, for the picture and the
    /// file's bytes.
    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory {
        let whole = head.storedByteCount + Double(byteCount)
        return DecoderMemory(
            typical: Self.memoryOfBlocks(for: head, byteCount: byteCount), maximum: whole,
            minimumLimit: decoder == .tiff ? 0 : whole)
    }

    /// The memory for strips or tiles of LZW, whose codes refer to any earlier sample, and of JPEG, which are decoded
    /// at once. The bytes of a JPEG stream are there twice while it is decoded: as they lie in the file, and with
    /// tables.
    private static func memoryOfBlocks(for head: ImageHead, byteCount: Int) -> Double {
        guard let coding = head.tiff, let compression = TIFFCompression(rawValue: coding.compression),
            let rowCount = coding.rowsPerBlock
        else { return 0 }
        let samples = Double(head.storedSize.width) * Double(rowCount) * Double(coding.samplesPerPixel)
        switch compression {
        case .none, .packBits, .deflate, .formerDeflate: return 0
        case .lzw: return samples * Double(head.bitsPerChannel) / 8
        case .jpeg:
            let part = min(1, Double(rowCount) / Double(max(1, head.storedSize.height)))
            return samples + 2 * part * Double(byteCount)
        }
    }

    /// Whether the amount of memory `DecoderMemory.minimumLimit` is enough to open the file. It is enough for all files
    /// that this library's own decoder can read: this decoder itself compares the memory of the whole decode with the
    /// limit when it opens the file. All other files are read by libvips, which needs `DecoderMemory.maximum`.
    func fitsMinimumLimit(_ bytes: any ByteSource) throws(RenderError) -> Bool {
        try TIFFPictures(in: bytes) != nil
    }

    func announcesWholePicture(_ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard) -> Bool {
        true
    }

    func isReadByRanges(_ head: ImageHead, quality: RenderQuality) -> Bool { true }

    func neededRanges(_ input: DecoderInput) throws(RenderError) -> [Range<Int>]? {
        guard input.decoder == .tiff else { return nil }
        guard let opening = try TIFFOpening(input) else { return nil }
        return try TIFFDecode(opening, guardian: input.guardian)?.neededRanges(input)
    }

    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        if input.decoder == .tiff { return try openOwn(input) }
        return try VipsDecode(
            input.bytes, input, loader: .tiff, layout: input.head.tiff.map { SampleLayout($0) } ?? SampleLayout())
    }

    /// Opens a file with this library's own decoder. The pixels of JPEG streams that are delivered as they are must be
    /// made at the scale of the picture; otherwise each plane is decoded at its own scale.
    private func openOwn(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        guard let opening = try TIFFOpening(input) else { return nil }
        if !input.deliversDecode,
            let planes = try TIFFPlaneDecode(
                opening, hasCoarseChroma: input.allowsCoarseChroma, limits: input.limits, guardian: input.guardian)
        {
            return planes
        }
        return try TIFFDecode(opening, guardian: input.guardian)
    }
}

extension VipsLoader {
    static let tiff = VipsLoader(operation: "tiffload_source")
}
