import ThumbwheelCore
import ThumbwheelFormats

/// What a rendering is predicted to cost, from its head alone: what a scheduler weighs before anything is read.
public struct RenderCost: Sendable, Hashable {
    /// Time of `Renderer.render` on one core.
    public var milliseconds: Double
    /// Time of `Renderer.renderPreview`; nil where the file holds no preview.
    public var previewMilliseconds: Double?
    /// Memory that the rendering needs while it runs, besides its output.
    public var workingByteCount: Int
    /// Bytes of the output's pixels.
    public var outputByteCount: Int

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
        let geometry = try RenditionGeometry(
            displaySize: head.displaySize, options: options,
            naturalEighths: RenditionGeometry.naturalEighths(for: head.contentType))
        let pixels = Double(head.storedSize.pixelCount)
        let share = Double(geometry.decodeEighths) / 8
        let decodedPixels = pixels * share * share
        let outputPixels = Double(geometry.outputSize.pixelCount)
        let isProgressive = head.jpeg?.process == .progressive
        let rates = Rates(head.contentType, isProgressive: isProgressive)
        // Decoding takes its time by coded bytes and by pixels made; resampling by pixels taken in and given out.
        var milliseconds = 0.3 + Double(byteCount) / rates.bytesPerMillisecond
        milliseconds += (rates.scales ? decodedPixels : pixels) / rates.pixelsPerMillisecond
        milliseconds += decodedPixels / 700_000 + outputPixels / 250_000
        if case .output = ColorConversion(head.profile) { milliseconds += 1 + outputPixels / 60_000 }
        self.milliseconds = milliseconds
        previewMilliseconds = head.preview.map { 0.2 + Double($0.byteRange.count) / 60_000 }

        let displayRow = Double(head.storedSize.width) * share
        // Strips inside libvips, the resampler's ring and the read-ahead; formats without strips are decoded whole, and
        // a progressive JPEG keeps all its coefficients.
        var working = 512.0 * 1024 + displayRow * 4 * 200
        if isProgressive { working += pixels * 3 * 2 }
        if rates.decodesWhole { working += (rates.scales ? decodedPixels : pixels) * 4 + Double(byteCount) }
        workingByteCount = Int(min(working, 1e15))
        outputByteCount = Int(min(outputPixels * (head.hasAlpha ? 4 : 3), 1e15))
    }

    /// How fast the decoders are on one core, roughly: measured on camera photographs.
    private struct Rates {
        var bytesPerMillisecond: Double
        var pixelsPerMillisecond: Double
        /// Whether fewer pixels are made for a reduced scale.
        var scales = false
        var decodesWhole = false

        init(_ type: ContentType, isProgressive: Bool) {
            switch type {
            case .jpeg:
                bytesPerMillisecond = isProgressive ? 60_000 : 130_000
                pixelsPerMillisecond = 200_000
                scales = true
            case .webp:
                bytesPerMillisecond = 40_000
                pixelsPerMillisecond = 60_000
                decodesWhole = true
            case .heic, .avif:
                bytesPerMillisecond = 20_000
                pixelsPerMillisecond = 40_000
                decodesWhole = true
            case .gif:
                bytesPerMillisecond = 60_000
                pixelsPerMillisecond = 100_000
                decodesWhole = true
            default:
                bytesPerMillisecond = 80_000
                pixelsPerMillisecond = 60_000
            }
        }
    }
}
