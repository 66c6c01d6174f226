import CVips
import ThumbwheelCore
import ThumbwheelFormats

/// The codec of JPEG. This library's own decoder reads the common codings, and libvips reads the others.
struct JPEGCodec: Codec {
    let contentTypes = [ContentType.jpeg]
    let colorPrecedence = ColorPrecedence.profileFirst
    let readsWholeProfile = false

    func decoders(for head: ImageHead) -> [RenderedImage.Decoder] {
        Self.isForOwnDecoder(head) ? [.jpeg, .vips] : [.vips]
    }

    private static func isForOwnDecoder(_ head: ImageHead) -> Bool {
        guard let jpeg = head.jpeg, !jpeg.isArithmetic, head.bitsPerChannel == 8 else { return false }
        let isCovered: Bool =
            switch jpeg.process {
            case .baseline, .extendedSequential, .progressive: true
            case .lossless, .hierarchical: false
            }
        let count = jpeg.samplingFactors.count
        return isCovered && (count == 1 || count == 3) && !(head.profile?.isOfInks ?? false)
    }

    func eighths(of decoder: RenderedImage.Decoder) -> [Int] {
        decoder == .jpeg ? Self.everyEighth : VipsLoader.jpeg.eighths
    }

    // The array is made once, because every request for an image uses it.
    private static let everyEighth = Array(1...8)

    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead, byteCount: Int?) -> Bool { true }

    /// Whether a decode that ended because of damage is repeated with tolerance. True for libvips: it uses libjpeg,
    /// which warns even of harmless faults. The first decode ends at the first warning, and the second one continues
    /// after warnings.
    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool { decoder == .vips }

    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed {
        guard head.isProgressiveJPEG else {
            return DecodeSpeed(codedBytes: 175_000, storedPixels: 1_800_000, decodedPixels: 430_000)
        }
        guard decoder == .jpeg else {
            return DecodeSpeed(codedBytes: 60_000, storedPixels: 140_000, decodedPixels: 1_000_000)
        }
        // The share of a progressive file's bytes that the decode processes. A decode at a scale of 1/8 needs only the
        // DC coefficients. A decode of fast quality leaves out the scans that refine the other coefficients.
        let share = eighths == 1 ? 0.15 : quality == .fast ? 0.3 : 1
        return DecodeSpeed(codedBytes: 80_000, storedPixels: 1_800_000, decodedPixels: 430_000, codedShare: share)
    }

    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory {
        switch (decoder, head.isProgressiveJPEG) {
        case (.jpeg, true):
            // For a progressive file, this library's decoder holds one buffer of compressed data for each scan. All of
            // them together take 1 MiB.
            DecoderMemory(typical: 1_048_576, maximum: 1_048_576)
        case (.jpeg, false) where byteCount >= SingleScanReader.Sharing.defaultMinimumByteCount:
            // A worker thread that decodes ahead holds a buffer of file data, a batch of decoded coefficients, and the
            // decoded coefficients that wait to be used. Those that wait take 6 bytes for each pixel, two for each of
            // its three samples, but at most `ScanAhead.keptByteLimit`.
            DecoderMemory(
                typical: 0, maximum: 0,
                assistance: 5 << 18
                    + min(ScanAhead.keptByteLimit, Int(min(head.decodedPixelCount(atEighths: eighths) * 6, 1e15))))
        case (_, true) where decoder != .jpeg:
            // libjpeg keeps every coefficient of a progressive file in memory.
            DecoderMemory(
                typical: head.storedPixelCount * Double(head.jpeg?.samplingFactors.count ?? 3) * 2,
                maximum: head.storedPixelCount * 8)
        default: .rows
        }
    }

    func fitsMinimumLimit(_ bytes: any ByteSource) -> Bool { false }

    /// Whether the scans of a progressive file, by their headers, contain all bits of all coefficients. True for all
    /// other files.
    ///
    /// If bits are missing, the file was cut off between two scans. The whole picture is then blurred, but no part of
    /// it is grey, and libjpeg gives no warning. A file that lacks only its end marker counts as complete.
    func announcesWholePicture(
        _ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard
    ) throws(RenderError) -> Bool {
        guard head.isProgressiveJPEG else { return true }
        return try JPEGScanCheck(checking: bytes, guardian: guardian).hasAllBits
    }

    /// A progressive file is read by ranges, because its first scans may be enough for the requested images. Any other
    /// file is read as a whole.
    func isReadByRanges(_ head: ImageHead, quality: RenderQuality) -> Bool {
        head.isProgressiveJPEG && Self.isForOwnDecoder(head)
    }

    /// The range from the beginning of the file to the end of the last scan that the decode reads. The end of a scan is
    /// known only when the scan has been read, so this function reads the whole range.
    func neededRanges(_ input: DecoderInput) throws(RenderError) -> [Range<Int>]? {
        guard input.decoder == .jpeg, let decode = try openOwn(input)?.decode, !decode.header.isSingleScan else {
            return nil
        }
        return [0..<(try decode.endOfNeededScans())]
    }

    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        input.decoder == .jpeg ? try openOwn(input) : try openVips(input)
    }

    private func openOwn(_ input: DecoderInput) throws(RenderError) -> JPEGRows? {
        let decode = try JPEGDecode(
            input.bytes, eighths: input.eighths, hasCoarseChroma: input.allowsCoarseChroma,
            keepsProfile: input.conversion == .output, guardian: input.guardian)
        guard let decode else { return nil }
        decode.readsRefinements = input.quality == .high
        return JPEGRows(decode)
    }

    private func openVips(_ input: DecoderInput) throws(RenderError) -> VipsDecode {
        // `JPEGScanCheck` throws for files with so many scans or segments that libjpeg would take very long.
        _ = try JPEGScanCheck(checking: input.bytes, guardian: input.guardian)
        let keepsProfile = input.head.profile != nil && input.conversion != .none
        let bytes: (any ByteSource)?
        do throws(ByteSourceError) {
            bytes = try JPEGWithoutMetadata(input.bytes, keepingProfile: keepsProfile)
        } catch {
            throw .source(error)
        }
        return try VipsDecode(bytes ?? input.bytes, input, loader: .jpeg)
    }
}

extension ImageHead {
    /// Whether the picture is a progressive JPEG.
    var isProgressiveJPEG: Bool { jpeg?.process == .progressive }
}

extension VipsLoader {
    static let jpeg = VipsLoader(
        eighths: [1, 2, 4, 8],
        // libjpeg reports missing data only by a warning and not by an error, even if the whole lower half of the
        // picture is missing. So a warning counts as a failure.
        failsOnWarnings: true,
        // Many files lack only their end marker. With an end marker added, libjpeg warns only if pixels are missing.
        trailer: [0xFF, 0xD9],
        // libvips leaves out the incomplete pixels at the right and lower edges of a scaled decode.
        sideRounding: .down
    ) { source, image, eighths, strictness in
        tw_vips_jpegload(source, image, Int32(8 / eighths), strictness)
    }
}
