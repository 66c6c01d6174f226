import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

/// Renders what the pipeline hands out, from the assets' own resources.
package struct AssetRenderer: RenditionRenderer {
    let limits: RenderLimits
    private let usesEmbeddedPreviews: Bool
    private let renderer = Renderer()

    /// - Parameter usesEmbeddedPreviews: whether fast final images may come from previews; a property of the manager and
    ///   not of a rendition, so it is no part of any key.
    package init(limits: RenderLimits, usesEmbeddedPreviews: Bool = true) {
        self.limits = limits
        self.usesEmbeddedPreviews = usesEmbeddedPreviews
    }

    package func render(_ assignment: RenderAssignment) -> RenderOutcome {
        guard let asset = assignment.work.asset else { preconditionFailure("a render without an asset") }
        do throws(RenderError) {
            if assignment.key.kind == .original { return .image(try readFile(of: asset, assignment)) }
            let image =
                if let pixels = assignment.pixels { pixels } else { PipelineImage(try render(asset, for: assignment)) }
            guard let encoding = assignment.key.encoding else { return .image(image) }
            let tag = EntityTag(assignment.key, of: asset, usesEmbeddedPreviews: usesEmbeddedPreviews)
            return .image(try image.encoded(as: encoding, tag: tag))
        } catch .cancelled {
            return .stopped
        } catch {
            return .failed(ImageRequestError(error))
        }
    }

    private func render(_ asset: Asset, for assignment: RenderAssignment) throws(RenderError) -> RenderedImage {
        let version = assignment.key.subject.version
        var options = assignment.key.options
        options.usesEmbeddedPreviews = usesEmbeddedPreviews
        if assignment.key.kind == .preview, let proxy = asset.localProxy(of: version) {
            options.allowsUpscaling = false
            return try renderer.render(
                try open(proxy), options: options, limits: limits, cancellation: assignment.token)
        }
        let source = try source(of: asset, assignment)
        if assignment.key.kind == .preview {
            return try renderer.renderPreview(
                source, head: asset.head(of: version), options: options, limits: limits, cancellation: assignment.token)
        }
        return try renderer.render(
            source, head: asset.head(of: version), options: options, limits: limits, cancellation: assignment.token)
    }

    private func readFile(
        of asset: Asset, _ assignment: RenderAssignment
    ) throws(RenderError) -> PipelineImage {
        let source = try source(of: asset, assignment)
        guard source.byteCount <= limits.byteCount else { throw .limitExceeded(limit: .bytes) }
        let bytes: [UInt8]
        do throws(ByteSourceError) {
            // What came over the network is in memory already.
            bytes = if let memory = source as? MemoryByteSource { memory.contents } else { try source.bytes() }
        } catch {
            throw .source(error)
        }
        let version = assignment.key.subject.version
        // A file of a type that is not known is handed out all the same.
        let head = asset.head(of: version) ?? (try? ImageHead(reading: MemoryByteSource(bytes)))
        let data = ImageData(
            bytes: bytes, contentType: head?.contentType ?? ContentType(rawValue: "application/octet-stream"),
            orientation: head?.orientation ?? .up, pixelSize: head?.displaySize ?? asset.pixelSize,
            entityTag: EntityTag(ofFileOf: asset, version))
        return PipelineImage(data, pixelsOf: nil)
    }

    private func source(of asset: Asset, _ assignment: RenderAssignment) throws(RenderError) -> any ByteSource {
        if let source = assignment.bytes?.source {
            source
        } else {
            try open(asset.resource(of: assignment.key.subject.version))
        }
    }

    private func open(_ resource: AssetResource) throws(RenderError) -> any ByteSource {
        do throws(ByteSourceError) {
            return try resource.open()
        } catch {
            throw .source(error)
        }
    }
}

extension PipelineImage {
    fileprivate init(_ image: RenderedImage) {
        self.init(
            bitmap: image.bitmap, pixelSize: image.bitmap.size, byteCount: image.bitmap.byteCount,
            source: ImageInfo.Source(image.source), eighths: image.eighths, decoder: image.decoder,
            isPartial: image.isPartial)
    }

    /// - Parameter image: what was encoded, if anything.
    fileprivate init(_ data: ImageData, pixelsOf image: PipelineImage?) {
        self.init(
            bitmap: nil, pixelSize: data.pixelSize, byteCount: data.bytes.count, source: image?.source,
            eighths: image?.eighths, decoder: image?.decoder, isPartial: image?.isPartial ?? false)
        self.data = data
        isFromNetwork = image?.isFromNetwork ?? false
        networkMilliseconds = image?.networkMilliseconds ?? 0
    }

    fileprivate func encoded(as encoding: ImageEncoding, tag: EntityTag) throws(RenderError) -> PipelineImage {
        guard let bitmap else { preconditionFailure("an image without pixels is to be encoded") }
        let data = ImageData(
            bytes: try bitmap.encoded(as: encoding), contentType: encoding.contentType, orientation: .up,
            pixelSize: bitmap.size, entityTag: tag)
        return PipelineImage(data, pixelsOf: self)
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
