import CVips
import ThumbwheelCore
import ThumbwheelFormats

/// The codec of HEIC and AVIF. This library reads a file's items itself; libde265 or libavcodec decodes HEVC pictures,
/// and dav1d decodes AV1 pictures. If an image is composed of other images that do not form a grid, libvips reads it
/// with libheif.
struct HEIFCodec: Codec {
    let contentTypes = [ContentType.heic, .avif]
    let colorPrecedence = ColorPrecedence.profileFirst
    let readsWholeProfile = true

    func decoders(for head: ImageHead) -> [RenderedImage.Decoder] {
        if head.contentType == .avif { return Self.av1Decoders }
        return HEVCDecoders.isInstalled ? Self.hevcDecodersWithLibAV : Self.hevcDecoders
    }

    /// The decoder of pictures in a coding: `.avif` stands for AV1, any other content type for HEVC.
    static func decoder(of coding: ContentType) -> RenderedImage.Decoder {
        coding == .avif ? .dav1d : HEVCDecoders.isInstalled ? .libavcodec : .de265
    }

    func eighths(of decoder: RenderedImage.Decoder) -> [Int] { Self.fullSize }

    // The arrays of decoders and scales are made once, because every request for an image uses them.
    private static let av1Decoders = [RenderedImage.Decoder.dav1d, .vips]
    private static let hevcDecoders = [RenderedImage.Decoder.de265, .vips]
    private static let hevcDecodersWithLibAV = [RenderedImage.Decoder.libavcodec, .vips]
    private static let fullSize = [8]

    /// A decode of tiles can stop between two tiles. A picture without tiles is decoded in one call that cannot be
    /// stopped, and so is every picture that libvips decodes with libheif.
    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead, byteCount: Int?) -> Bool {
        decoder != .vips && head.heif?.tileSize != nil
    }

    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool { false }

    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed {
        switch decoder {
        case .libavcodec: DecodeSpeed(codedBytes: 13_000, storedPixels: 190_000)
        case .de265: DecodeSpeed(codedBytes: 9_000, storedPixels: 140_000)
        case .dav1d: DecodeSpeed(codedBytes: 20_000, storedPixels: 330_000)
        default: DecodeSpeed(codedBytes: 60_000, storedPixels: 65_000)
        }
    }

    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory {
        decoder == .vips
            ? Self.memoryOfLibheif(for: head, byteCount: byteCount)
            : Self.memoryOfTiles(for: head, byteCount: byteCount)
    }

    /// The memory that a decode by tiles needs: for one row of decoded tiles, for the tile that is being decoded and its
    /// coded bytes, for the decoder's tables, and for the kept alpha of the whole image. An idle worker thread that
    /// helps needs another row and another decoder. The coded bytes of a tile are few, unless the tile is the whole
    /// picture.
    ///
    /// The alpha is decoded before the colours, by a decoder that is gone when that of the colours begins. It may be
    /// one picture even if the colours are tiles.
    private static func memoryOfTiles(for head: ImageHead, byteCount: Int) -> DecoderMemory {
        let (whole, tile) = (head.heif?.uncroppedSize ?? head.storedSize, head.heif?.tileSize)
        let sample = head.bitsPerChannel > 8 ? 2.0 : 1
        let samples = (head.heif?.hasFullChroma ?? false ? 3 : 1.5) * sample
        let decoder = Double((tile ?? whole).pixelCount) * (samples + 1.5) + 1_048_576
        // The head does not tell which side is stored as the width.
        let (shorter, longer) = (min(whole.width, whole.height), max(whole.width, whole.height))
        let band = tile.map { Double(longer) * Double(min($0.height, shorter)) * samples } ?? 0
        var bytes = decoder + band
        if head.hasAlpha {
            let pixels = Double(max(whole.pixelCount, tile?.pixelCount ?? 0))
            bytes = pixels * sample + max(bytes, pixels * (1.5 * sample + 1.5) + 1_048_576)
        }
        let coded = Double(min(byteCount, TileReader.codedByteLimit(of: tile ?? whole)))
        return DecoderMemory(
            typical: bytes + (tile == nil ? coded : 0), maximum: bytes + coded,
            assistance: tile == nil ? 0 : Int(min(decoder + band, 1e15)))
    }

    /// The memory of libheif 1.15. The numbers below were measured, in bytes for each pixel of 8-bit samples; the code
    /// rounds them up.
    ///
    /// - A grid takes 6.1 bytes. Its tiles are converted one by one into planes of RGB, which are then interleaved.
    /// - A single picture, or the one tile that is being decoded, takes 7.6 bytes, or 13 if its chroma is not
    ///   subsampled. Until its colours are converted, it exists both as the codec's own frame and as a copy.
    /// - Alpha adds one more plane of samples, both to a grid and to a single picture.
    private static func memoryOfLibheif(for head: ImageHead, byteCount: Int) -> DecoderMemory {
        let pixels = Double((head.heif?.uncroppedSize ?? head.storedSize).pixelCount)
        let alpha = head.hasAlpha ? 2.0 : 0
        let whole = (head.heif?.hasFullChroma ?? false ? 14 : 8) + alpha
        var bytes = pixels * whole
        if let tile = head.heif?.tileSize {
            bytes = pixels * (6.25 + alpha) + min(Double(tile.pixelCount), pixels) * whole
        }
        bytes = bytes * (head.bitsPerChannel > 8 ? 2 : 1) + Double(byteCount)
        return DecoderMemory(typical: bytes, maximum: bytes)
    }

    func fitsMinimumLimit(_ bytes: any ByteSource) -> Bool { false }

    func announcesWholePicture(_ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard) -> Bool {
        true
    }

    func isReadByRanges(_ head: ImageHead, quality: RenderQuality) -> Bool { true }

    /// The ranges of the file that hold the tiles shown in the requested images, all tiles of the alpha, and the colour
    /// profile. This function itself reads the descriptions of the file's items.
    func neededRanges(_ input: DecoderInput) throws(RenderError) -> [Range<Int>]? {
        input.decoder == .vips ? nil : try HEIFOpener(input).neededRanges()
    }

    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        if input.decoder != .vips { return try HEIFOpener(input).open() }
        // The file is read into memory first. libheif asserts that its reads succeed, so a read that fails, for example
        // because the decode has to stop, would end the process.
        let bytes = MemoryByteSource(
            try input.bytes.bytes(to: input.bytes.byteCount, checking: input.guardian))
        return try VipsDecode(bytes, input, loader: .heif, layout: SampleLayout(alphaOf: input.head))
    }
}

extension VipsLoader {
    static let heif = VipsLoader(
        operation: "heifload_source", appliesOrientation: true, isCutShort: isHEIFCutShort)

    /// The loader of a HEIF file's first thumbnail item.
    static let heifThumbnail = VipsLoader(appliesOrientation: true, isCutShort: isHEIFCutShort) {
        source, image, _, strictness in
        tw_vips_heifload_thumbnail(source, image, strictness)
    }

    /// Whether the file is cut short: its last top-level box claims to end after the end of the file (ISO/IEC 14496-12,
    /// 4.2).
    private static let isHEIFCutShort: Evidence = { bytes throws(ByteSourceError) in
        var offset = 0
        // A normal file has only a few boxes. The bound limits the time that a hostile file can take.
        for _ in 0..<256 where offset < bytes.byteCount {
            let head = try bytes.bytes(in: offset..<offset + 16)
            guard head.count >= 8 else { return true }
            var size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
            if size == 0 { return false }
            if size == 1 {
                guard head.count == 16 else { return true }
                size = head[8...].reduce(0) { ($0 & 0x00FF_FFFF_FFFF_FFFF) << 8 | Int($1) }
            }
            guard size >= 8, size < .max - offset else { break }
            offset += size
        }
        return offset > bytes.byteCount
    }
}
