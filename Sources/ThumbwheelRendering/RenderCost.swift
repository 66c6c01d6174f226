import ThumbwheelCore
import ThumbwheelFormats

/// The predicted cost of a rendering. It is computed from the facts in the file's header alone, so that a scheduler can
/// compare renderings before any pixels are decoded.
package struct RenderCost: Sendable, Hashable {
    /// The predicted time of `Renderer.render` on one core, in milliseconds.
    package var milliseconds: Double
    /// The predicted time of `Renderer.render` on one core if the final image is made from a preview in the file, in
    /// milliseconds. It equals `milliseconds` if no preview can be used.
    package var minimumMilliseconds: Double
    /// The predicted time of `Renderer.renderPreview`, in milliseconds; nil if the file has no preview.
    package var previewMilliseconds: Double?
    /// The predicted memory in bytes that `Renderer.renderPreview` needs, including its output; nil if the file has no
    /// preview.
    package var previewByteCount: Int?
    /// The predicted memory in bytes that the rendering needs while it runs, without its output.
    package var workingByteCount: Int
    /// The additional memory in bytes that the rendering takes if an idle worker thread helps.
    package var assistanceByteCount: Int
    /// The number of bytes of the output's pixels.
    package var outputByteCount: Int
    /// The scale of the decode in eighths of full size.
    package var decodeEighths: Int
    /// The decoder that is tried first for the picture; nil if no decoder reads it.
    package var decoder: RenderedImage.Decoder?
    /// Whether the picture is a progressive JPEG. The predictions of memory are corrected separately for such pictures.
    package var isProgressive: Bool
    /// Whether the decoder ends soon after a cancellation. If not, the decode runs to its end.
    package var isStoppable: Bool
    /// Whether the decode goes to a decoder process, whose memory is not measured.
    package var isIsolated: Bool
    /// The region of the image that is rendered, and the size of the output.
    package var geometry: RenditionGeometry

    /// The predicted memory in bytes: the working memory and the output together.
    package var predictedByteCount: Int {
        let (sum, overflows) = workingByteCount.addingReportingOverflow(outputByteCount)
        return overflows ? .max : sum
    }

    /// Predicts the cost of rendering the file whose header contains the facts in `head`.
    ///
    /// - Parameters:
    ///   - byteCount: the file's length; for a video, the number of bytes of it that are read
    ///     (`pictureByteCount(ofFile:)`).
    ///   - isolation: the choice of the files that are decoded in a separate process.
    /// - Throws: `.invalidRequest` for options that no rendering could satisfy.
    package init(
        head: ImageHead, options: RenderOptions, byteCount: Int, isolation: Isolation = .none
    ) throws(RenderError) {
        let head = head.ofPicture
        let chosen = head.chosenDecoder
        let geometry = try RenditionGeometry(
            displaySize: head.displaySize, options: options, naturalEighths: chosen?.eighths ?? [8])
        decoder = chosen?.decoder
        isIsolated = chosen.map { isolation.includes($0.decoder) } ?? false
        // A decoder process can be ended at any time. A file that no decoder reads is refused at once, so nothing needs
        // to be stopped.
        isStoppable = isIsolated || chosen?.isStoppable(for: head, byteCount: byteCount) ?? true
        self.geometry = geometry
        let eighths = geometry.decodeEighths
        decodeEighths = eighths
        let outputPixels = Double(geometry.outputSize.pixelCount)
        isProgressive = head.isProgressiveJPEG
        var milliseconds =
            chosen.map {
                $0.codec.speed(of: $0.decoder, for: head, eighths: eighths, quality: options.quality).milliseconds(
                    byteCount: byteCount, storedPixels: head.storedPixelCount,
                    decodedPixels: head.decodedPixelCount(atEighths: eighths))
            } ?? 0
        let isExtended = options.pixelRange == .extended
        // Adds the time that only images in linear light take: for each decoded pixel, the resampling in floating
        // point, and for each pixel of the output, the conversion to linear light.
        if isExtended { milliseconds += (head.decodedPixelCount(atEighths: eighths) + outputPixels) / 100_000 }
        if head.isLikelyConverted { milliseconds += 0.05 + outputPixels / 200_000 }
        self.milliseconds = milliseconds
        let search = PreviewSearch(head: head, geometry: geometry)
        let degraded = search.degraded
        previewMilliseconds = degraded.first.map(Self.milliseconds(of:))
        // Any of the suitable previews may be used in the end. So the prediction is the memory for the preview that
        // needs the most.
        for preview in degraded {
            let size = search.degradedSize(of: preview)
            let output = Int(min(outputPixels, Double(size.pixelCount), 1e15 / 8)) * (isExtended ? 8 : 4)
            let working = PreviewMemory(predicting: preview, decodedSize: size).workingByteCount
            previewByteCount = max(previewByteCount ?? 0, working + output)
        }

        // The working memory is the sum of the decoder's own memory, 512 KiB, and 200 decoded rows with four bytes for
        // each pixel. The last two numbers cover the strips inside libvips, the rows that the resampler keeps, and the
        // data that are read ahead.
        let displayRow = Double(head.storedSize.width) * Double(eighths) / 8
        let memory = chosen?.memory(for: head, eighths: eighths, byteCount: byteCount) ?? .rows
        let working = 512.0 * 1024 + displayRow * 4 * 200 + Double(memory.typical)
        // The rendering tries previews first and frees their memory before it decodes the photograph, so only the
        // larger of the two amounts counts.
        let previews = options.mayUsePreviews && !head.previews.isEmpty ? search.covering : []
        workingByteCount = previews.reduce(Int(min(working, 1e15))) { most, preview in
            max(
                most,
                PreviewMemory(predicting: preview, decodedSize: search.coveringSize(of: preview)).workingByteCount)
        }
        minimumMilliseconds = min(milliseconds, previews.first.map(Self.milliseconds(of:)) ?? .infinity)
        assistanceByteCount = memory.assistance
        outputByteCount = Int(min(outputPixels * (isExtended ? 8 : head.hasAlpha ? 4 : 3), 1e15))
    }

    private static func milliseconds(of preview: EmbeddedPreview) -> Double {
        preview.kind == .heifThumbnail ? 3 : 0.12 + Double(preview.byteRange.length) / 60_000
    }
}
