import ThumbwheelCore
import ThumbwheelFormats

extension RenderOptions {
    /// Whether a final image may come from a preview.
    var mayUsePreviews: Bool { quality == .fast && usesEmbeddedPreviews && resizeMode != .none }
}

extension Renderer {
    /// Renders a preview that is embedded in a file: a degraded image for a fraction of a millisecond.
    ///
    /// It is cropped and reduced as the options say, in the orientation of the photograph, but never enlarged: its size is
    /// at most its own, and of previews from 320×240 pixels on at most half of it, or three eighths. Black bars that cameras put around
    /// previews of another aspect are cut off. The smallest preview that covers the target is taken, else the largest one
    /// that is cheap; at most two ranges of the file, 1 MiB in all, are read besides its head. It is converted to sRGB by its own
    /// profile, or by its photograph's where it has none.
    ///
    /// Nothing but its aspect tells that it shows the photograph: to make sure costs as much as the preview itself, and a
    /// degraded image is soon replaced.
    ///
    /// - Parameter makesThumbHash: whether the image comes with the hash of the whole preview.
    /// - Throws: `.noPreview` where the file has none, or none whose aspect is the photograph's.
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

    /// A final image from a preview that has at least the pixels asked for; nil where none has, or none can be used.
    ///
    /// - Parameter evidence: what of the photograph a preview is held against before it is taken for it.
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
