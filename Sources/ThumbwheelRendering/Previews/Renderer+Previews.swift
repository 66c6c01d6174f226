import ThumbwheelCore
import ThumbwheelFormats

extension RenderOptions {
    /// Whether these options allow a final image to be made from a preview. Fast requests with `usesEmbeddedPreviews`
    /// allow this, except in two cases:
    /// - The resize mode is `.none`. It asks for the photograph itself, decoded at one of its decoder's scales.
    /// - The extended range is requested. Previews do not have it: they have samples of 8 bits in the standard range.
    var mayUsePreviews: Bool {
        quality == .fast && usesEmbeddedPreviews && resizeMode != .none && pixelRange == .standard
    }
}

extension Renderer {
    /// Renders a preview that is embedded in a file. The result is a degraded image, made in a fraction of a
    /// millisecond.
    ///
    /// The image is made in these steps:
    /// 1. A preview is chosen. The first choice is the smallest cheap preview (of at most 64 KiB) with enough pixels
    ///    for the target, then the largest cheap preview, then a preview that is not cheap. If a preview cannot be
    ///    used, the next one is tried. Besides the head, at most two ranges of the file, 1 MiB in all, are read.
    /// 2. The preview is decoded. JPEG previews of 320×240 pixels and more are decoded at three eighths or half of
    ///    their size.
    /// 3. Black bars are cut off. Cameras put them around previews whose aspect ratio is not that of the photograph.
    /// 4. The picture is cropped and reduced as the options say, in the orientation of the photograph, but never
    ///    enlarged. So the image has at most the size of the preview.
    /// 5. The image is converted to sRGB by the profile of the preview. If the preview has none, the profile of the
    ///    photograph is used.
    ///
    /// Only the aspect ratio of the preview is checked against the photograph: a full check costs as much as the
    /// preview itself, and a degraded image is soon replaced.
    ///
    /// - Parameter makesThumbHash: whether the image comes with a `ThumbHash` of the whole preview.
    /// - Throws: `.noPreview` if the file has no preview, or no preview with the photograph's aspect ratio.
    @available(*, noasync, message: "await ImageManager.images(for:), whose first image is the preview")
    public func renderPreview(
        _ source: any ByteSource, head: ImageHead? = nil, options: RenderOptions, limits: RenderLimits = RenderLimits(),
        makesThumbHash: Bool = false, cancellation: CancellationToken? = nil
    ) throws(RenderError) -> RenderedImage {
        guard isolation == nil else {
            return try renderIsolated(
                .preview(options), of: source, head: head, limits: limits, makesThumbHash: makesThumbHash,
                cancellation: cancellation)[0].get()
        }
        return try renderPreviewInProcess(
            source, head: head, options: options, limits: limits, makesThumbHash: makesThumbHash,
            cancellation: cancellation, fence: nil)
    }

    /// Renders a preview in this process.
    ///
    /// - Parameter fence: forbids the decoders of other libraries, such as libvips, in this process, so that only this
    ///   library's own decoders are used. Nil if all decoders are allowed.
    func renderPreviewInProcess(
        _ source: any ByteSource, head: ImageHead?, options: RenderOptions, limits: RenderLimits,
        makesThumbHash: Bool, cancellation: CancellationToken?, fence: DecoderFence?
    ) throws(RenderError) -> RenderedImage {
        let guardian = DecodeGuard(cancellation: cancellation, duration: limits.duration, fence: fence)
        try guardian.check()
        let head = try Self.head(of: source, known: head)
        let search = PreviewSearch(
            head: head, geometry: try RenditionGeometry(displaySize: head.displaySize, options: options))
        let evidence = PhotographEvidence(source, head: head, guardian: guardian)
        var failure = RenderError.noPreview
        for preview in search.degraded {
            do throws(RenderError) {
                return try PreviewJob(
                    source, preview, evidence: evidence, options: options, limits: limits, guardian: guardian,
                    makesThumbHash: makesThumbHash
                ).run()
            } catch .cancelled {
                throw .cancelled
            } catch {
                // The error of the first damaged preview is kept. It explains the failure better than the error of a
                // later preview.
                if failure == .noPreview { failure = error }
            }
        }
        throw failure
    }

    /// Makes a final image from a preview that has enough pixels for the request; nil if no preview has enough pixels,
    /// or if none of those can be used.
    ///
    /// - Parameter evidence: the facts about the photograph with which a preview must agree.
    func renderFromPreview(
        _ source: any ByteSource, evidence: PhotographEvidence, options: RenderOptions, limits: RenderLimits,
        guardian: DecodeGuard, makesThumbHash: Bool
    ) throws(RenderError) -> RenderedImage? {
        let head = evidence.head
        guard options.mayUsePreviews, !head.previews.isEmpty else { return nil }
        let search = PreviewSearch(
            head: head, geometry: try RenditionGeometry(displaySize: head.displaySize, options: options))
        for preview in search.covering {
            do throws(RenderError) {
                var job = try PreviewJob(
                    source, preview, evidence: evidence, options: options, limits: limits, guardian: guardian,
                    makesThumbHash: makesThumbHash)
                job.finalSearch = search
                return try job.run()
            } catch .cancelled {
                throw .cancelled
            } catch .limitExceeded(.duration) {
                throw .limitExceeded(limit: .duration)
            } catch {
                // A preview that fails is skipped, because the photograph itself may be undamaged.
            }
        }
        return nil
    }
}
