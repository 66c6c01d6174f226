import ThumbwheelCore
import ThumbwheelFormats

/// What a rendering is predicted to cost, from its head alone: what a scheduler weighs before anything is read.
public struct RenderCost: Sendable, Hashable {
    /// Time of `Renderer.render` on one core.
    public var milliseconds: Double
    /// Time of `Renderer.renderPreview`; nil where the file holds no preview.
    public var previewMilliseconds: Double?
    /// Memory that `Renderer.renderPreview` needs, its output included; nil where the file holds no preview.
    public var previewByteCount: Int?
    /// Memory that the rendering needs while it runs, besides its output.
    public var workingByteCount: Int
    /// Memory that it takes besides where an idle worker helps.
    public var assistanceByteCount: Int
    /// Bytes of the output's pixels.
    public var outputByteCount: Int
    /// The decode's scale in eighths.
    public var decodeEighths: Int
    /// What decodes the picture; nil where no decoder is allowed to.
    public var decoder: RenderedImage.Decoder?
    /// Whether the picture is a progressive JPEG.
    public var isProgressive: Bool
    /// Whether the decoder ends soon after a cancellation; others run on to their end.
    public var isStoppable: Bool
    /// What of the image is rendered, and how large.
    public var geometry: RenditionGeometry

    /// Working memory and output.
    public var predictedByteCount: Int {
        let (sum, overflows) = workingByteCount.addingReportingOverflow(outputByteCount)
        return overflows ? .max : sum
    }

    /// Predicts the cost of rendering the file that `head` belongs to.
    ///
    /// - Parameter byteCount: the file's length.
    /// - Throws: `.invalidRequest` for options that no rendering could satisfy.
    public init(head: ImageHead, options: RenderOptions, byteCount: Int) throws(RenderError) {
        let head = head.ofPicture
        let geometry = try RenditionGeometry(
            displaySize: head.displaySize, options: options,
            naturalEighths: RenditionGeometry.naturalEighths(for: head))
        decoder = head.decoder
        isStoppable = head.isStoppable(by: decoder)
        self.geometry = geometry
        decodeEighths = geometry.decodeEighths
        let pixels = Double(head.storedSize.pixelCount)
        let scale = Double(geometry.decodeEighths) / 8
        let decodedPixels = pixels * scale * scale
        let outputPixels = Double(geometry.outputSize.pixelCount)
        isProgressive = head.jpeg?.process == .progressive
        let isOwn = decoder == .jpeg
        let rates = Rates(head.contentType, isProgressive: isProgressive, isOwn: isOwn)
        // Of a progressive file, 1/8 needs the DC coefficients only, and a fast decode no refinements beyond them.
        let share: Double =
            switch (isOwn && isProgressive, geometry.decodeEighths, options.quality) {
            case (true, 1, _): 0.15
            case (true, _, .fast): 0.3
            default: 1
            }
        var milliseconds = 0.3 + Double(byteCount) * share / rates.codedBytes + pixels / rates.storedPixels
        milliseconds += decodedPixels / rates.decodedPixels
        if head.isLikelyConverted { milliseconds += 0.05 + outputPixels / 200_000 }
        self.milliseconds = milliseconds
        let search = PreviewSearch(head: head, geometry: geometry)
        let degraded = search.degraded
        previewMilliseconds = degraded.first.map {
            $0.kind == .heifThumbnail ? 3 : 0.12 + Double($0.byteRange.length) / 60_000
        }
        // Predicts for whichever preview turns out to serve.
        for preview in degraded {
            let size = search.degradedSize(of: preview)
            let output = Int(min(outputPixels, Double(size.pixelCount), 1e15 / 4)) * 4
            let working = PreviewMemory(predicting: preview, decodedSize: size).workingByteCount
            previewByteCount = max(previewByteCount ?? 0, working + output)
        }

        let displayRow = Double(head.storedSize.width) * scale
        // Strips inside libvips, the resampler's ring and the read-ahead, of which this library's decoder of progressive
        // JPEGs has one in each scan.
        var working = 512.0 * 1024 + displayRow * 4 * 200
        if isProgressive, isOwn { working += 1_048_576 }
        working += Double(
            DecoderMemory(head: head, eighths: geometry.decodeEighths, isOwnJPEG: isOwn, byteCount: byteCount).usual)
        // A preview is tried first, and its memory is free again before the photograph is decoded.
        let previews = options.mayUsePreviews && !head.previews.isEmpty ? search.covering : []
        workingByteCount = previews.reduce(Int(min(working, 1e15))) { most, preview in
            max(
                most,
                PreviewMemory(predicting: preview, decodedSize: search.coveringSize(of: preview)).workingByteCount)
        }
        // A window of data, runs, and what is kept of them: two bytes for each sample of three.
        assistanceByteCount =
            isOwn && !isProgressive && byteCount >= SequentialScan.Sharing.usualMinimum
            ? 5 << 18 + min(ScanAhead.keptByteCount, Int(min(decodedPixels * 6, 1e15))) : 0
        outputByteCount = Int(min(outputPixels * (head.hasAlpha ? 4 : 3), 1e15))
    }

    /// How much the decoders do in a millisecond on one core: of coded bytes, of pixels in the file, and of pixels made.
    ///
    /// Fitted to libvips 8.14 on camera photographs at four sizes; half of the baseline JPEGs took within 7 % of what is
    /// predicted, nine tenths within 24 %. Where the machine is another, the ratios still hold.
    private struct Rates {
        var codedBytes: Double
        var storedPixels: Double
        var decodedPixels = 900_000.0

        init(_ type: ContentType, isProgressive: Bool, isOwn: Bool) {
            switch type {
            case .jpeg where isProgressive && isOwn:
                (codedBytes, storedPixels, decodedPixels) = (80_000, 1_800_000, 430_000)
            case .jpeg where isProgressive: (codedBytes, storedPixels, decodedPixels) = (60_000, 140_000, 1_000_000)
            case .jpeg: (codedBytes, storedPixels, decodedPixels) = (175_000, 1_800_000, 430_000)
            case .webp: (codedBytes, storedPixels, decodedPixels) = (100_000, 220_000, 200_000)
            case .heic, .avif: (codedBytes, storedPixels) = (60_000, 65_000)
            case .gif: (codedBytes, storedPixels) = (400_000, 250_000)
            case .png: (codedBytes, storedPixels) = (1_000_000, 110_000)
            default: (codedBytes, storedPixels) = (1_000_000, 130_000)
            }
        }
    }
}
