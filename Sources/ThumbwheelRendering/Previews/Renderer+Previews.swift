import ThumbwheelCore
import ThumbwheelFormats

extension RenderOptions {
    /// Whether a final image may come from a preview.
    var mayUsePreviews: Bool { quality == .fast && usesEmbeddedPreviews && resizeMode != .none }
}

extension Renderer {
    /// Renders a preview that is embedded in a file: a degraded image for a fraction of a millisecond.
    ///
    /// - The image is cropped and reduced as the options say, in the orientation of the photograph, but never enlarged:
    ///   its size is at most the preview's own, and at most half or three eighths of a JPEG preview from 320×240
    ///   pixels on.
    /// - Black bars that cameras put around previews of another aspect are cut off.
    /// - The smallest preview that covers the target is used, or else the largest cheap one. Besides the head, at most
    ///   two ranges of the file, 1 MiB in all, are read.
    /// - The image is converted to sRGB by the preview's own profile, or else by its photograph's.
    ///
    /// Only the aspect of the preview is checked against the photograph: a full check costs as much as the preview
    /// itself, and a degraded image is soon replaced.
    ///
    /// - Parameter makesThumbHash: whether the image comes with the hash of the whole preview.
    /// - Throws: `.noPreview` if the file has none, or none with the photograph's aspect.
    @available(*, noasync, message: "await ImageManager.images(for:), whose first image is the preview")
    public func renderPreview(
        _ source: any ByteSource, head: ImageHead? = nil, options: RenderOptions, limits: RenderLimits = RenderLimits(),
        makesThumbHash: Bool = false, cancellation: CancellationToken? = nil
    ) throws(RenderError) -> RenderedImage {
        let guardian = DecodeGuard(cancellation: cancellation, duration: limits.duration)
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
                // The first one's damage says more than the absence of a second.
                if failure == .noPreview { failure = error }
            }
        }
        throw failure
    }

    /// A final image from a preview that has at least the pixels asked for; nil if none has, or none can be used.
    ///
    /// - Parameter evidence: the facts of the photograph that a preview must agree with.
    func renderFromPreview(
        _ source: any ByteSource, evidence: PhotographEvidence, options: RenderOptions, limits: RenderLimits,
        guardian: DecodeGuard, makesThumbHash: Bool
    ) throws(RenderError) -> RenderedImage? {
        let head = evidence.head
        // Without resampling, what is asked for is a decode of the photograph at one of its natural scales.
        guard options.mayUsePreviews, !head.previews.isEmpty else { return nil }
        let search = PreviewSearch(
            head: head, geometry: try RenditionGeometry(displaySize: head.displaySize, options: options))
        for preview in search.covering {
            do throws(RenderError) {
                var job = try PreviewJob(
                    source, preview, evidence: evidence, options: options, limits: limits, guardian: guardian,
                    makesThumbHash: makesThumbHash)
                job.final = search
                return try job.run()
            } catch .cancelled {
                throw .cancelled
            } catch .limitExceeded(.duration) {
                throw .limitExceeded(limit: .duration)
            } catch {
                // The photograph itself may be sound.
            }
        }
        return nil
    }
}
