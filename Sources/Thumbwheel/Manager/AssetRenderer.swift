import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// Renders what the pipeline hands out, from the assets' own resources.
struct AssetRenderer: RenditionRenderer {
    let limits: RenderLimits
    private let usesEmbeddedPreviews: Bool
    private let renderer = Renderer()

    /// - Parameter usesEmbeddedPreviews: whether fast final images may come from previews; a property of the manager and
    ///   not of a rendition, so it is no part of any key.
    init(limits: RenderLimits, usesEmbeddedPreviews: Bool = true) {
        self.limits = limits
        self.usesEmbeddedPreviews = usesEmbeddedPreviews
    }

    func render(_ assignment: RenderAssignment) -> RenderOutcome {
        guard let asset = assignment.work.asset else { preconditionFailure("a render without an asset") }
        do throws(RenderError) {
            return .image(PipelineImage(try render(asset, for: assignment)))
        } catch .cancelled {
            return .stopped
        } catch {
            return .failed(ImageRequestError(error))
        }
    }

    private func render(_ asset: Asset, for assignment: RenderAssignment) throws(RenderError) -> RenderedImage {
        let source: any ByteSource
        do throws(ByteSourceError) {
            source = try asset.resource.open()
        } catch {
            throw .source(error)
        }
        var options = assignment.key.options
        options.usesEmbeddedPreviews = usesEmbeddedPreviews
        if assignment.key.kind == .preview {
            return try renderer.renderPreview(
                source, head: asset.head, options: options, limits: limits, cancellation: assignment.token)
        }
        return try renderer.render(
            source, head: asset.head, options: options, limits: limits, cancellation: assignment.token)
    }
}

extension PipelineImage {
    fileprivate init(_ image: RenderedImage) {
        self.init(
            bitmap: image.bitmap, pixelSize: image.bitmap.size, byteCount: image.bitmap.byteCount,
            source: ImageInfo.Source(image.source), eighths: image.eighths, decoder: image.decoder,
            isPartial: image.isPartial)
    }
}

extension ImageInfo.Source {
    fileprivate init(_ source: RenderedImage.Source) {
        self =
            switch source {
            case .embedded: .embedded
            case .reduced: .reduced
            case .full: .full
            }
    }
}
