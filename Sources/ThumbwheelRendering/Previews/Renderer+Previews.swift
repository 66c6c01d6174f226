import ThumbwheelCore
import ThumbwheelFormats

extension Renderer {
    /// Renders a preview that is embedded in a file: a degraded image for a fraction of a millisecond.
    ///
    /// It is cropped and reduced as the options say, in the orientation of the photograph, but never enlarged: its size is
    /// at most its own, and of previews from 320×240 pixels on at most half of it, or three eighths. Black bars that cameras put around
    /// previews of another aspect are cut off. The smallest preview that covers the target is taken, else the largest one
    /// that is cheap; at most two ranges of the file, 1 MiB in all, are read besides its head.
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
        var failure = RenderError.noPreview
        for preview in search.degraded {
            do throws(RenderError) {
                return try PreviewJob(
                    source, preview, head: head, options: options, limits: limits, guardian: guardian,
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
    func renderFromPreview(
        _ source: any ByteSource, head: ImageHead, options: RenderOptions, limits: RenderLimits,
        guardian: DecodeGuard, makesThumbHash: Bool
    ) throws(RenderError) -> RenderedImage? {
        // Without resampling, what is asked for is a decode of the photograph at one of its natural scales.
        guard options.quality == .fast, options.usesEmbeddedPreviews, options.resizeMode != .none,
            !head.previews.isEmpty
        else { return nil }
        let search = PreviewSearch(
            head: head, geometry: try RenditionGeometry(displaySize: head.displaySize, options: options))
        for preview in search.covering {
            do throws(RenderError) {
                var job = try PreviewJob(
                    source, preview, head: head, options: options, limits: limits, guardian: guardian,
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
