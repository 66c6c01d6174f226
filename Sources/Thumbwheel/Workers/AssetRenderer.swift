import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering

/// Carries out the pipeline's assignments: makes renditions from the assets' own resources or from cached renditions,
/// and packs cached images into fewer bytes.
package struct AssetRenderer: RenditionRenderer {
    let limits: RenderLimits
    private let usesEmbeddedPreviews: Bool
    private let makesThumbHashes: Bool
    /// The folders outside of which no file is opened; nil if files may lie anywhere.
    private let roots: FolderRoots?
    /// Whether a file that has changed since the library looked at it counts as missing.
    private let refusesChangedFiles: Bool
    /// The decoder processes, and the rule that tells which files they decode; nil if all files are decoded in this
    /// process.
    let isolation: RenderIsolation?

    /// - Parameters:
    ///   - usesEmbeddedPreviews: whether the final images of `.fast` requests may come from embedded previews. The
    ///     setting is the same for the whole manager, so rendition keys do not contain it.
    ///   - makesThumbHashes: whether the first decode of an asset that has no thumb hash makes one.
    ///   - roots: the folders outside of which no file is opened; nil if files may lie anywhere.
    ///   - refusesChangedFiles: whether a file that has changed since the library looked at it counts as missing.
    ///   - isolation: the decoder processes, and the rule that tells which files they decode; nil if all files are
    ///     decoded in this process.
    package init(
        limits: RenderLimits, usesEmbeddedPreviews: Bool = true, makesThumbHashes: Bool = true,
        roots: FolderRoots? = nil, refusesChangedFiles: Bool = false, isolation: RenderIsolation? = nil
    ) {
        self.limits = limits
        self.isolation = isolation
        self.usesEmbeddedPreviews = usesEmbeddedPreviews
        self.makesThumbHashes = makesThumbHashes
        self.roots = roots
        self.refusesChangedFiles = refusesChangedFiles
    }

    package func render(_ assignment: RenderAssignment, with assistants: any RenderAssistants) -> RenderOutcome {
        let renderer = Renderer(assistants: assistants, isolation: isolation)
        if let tier = assignment.packingTier { return packed(assignment.input, for: tier) }
        let asset = assignment.work.asset
        do throws(RenderError) {
            if assignment.key.kind == .original { return .image(try readFile(of: asset, assignment)) }
            if let input = assignment.input { return .ended([try made(of: input, asset, assignment)]) }
            let results = try render(asset, for: assignment, by: renderer)
            return lacksBytes(assignment) ? .lackingBytes : .ended(results)
        } catch .cancelled {
            return .stopped
        } catch {
            return lacksBytes(assignment) ? .lackingBytes : .failed(ImageRequestError(error))
        }
    }

    /// Whether the decoder of a final rendition has asked for bytes outside the ranges of the file that were fetched.
    /// More of the file then has to be fetched: all of a photograph, and of a video the other frames from which the
    /// poster may be chosen. False for a degraded image, because such an image is good enough without these bytes.
    /// False for a frame at a given time too, because all of its bytes have been fetched.
    private func lacksBytes(_ assignment: RenderAssignment) -> Bool {
        guard assignment.key.kind != .preview, assignment.key.options.frameTime == nil,
            let ranges = assignment.bytes?.source as? GatheredByteSource
        else {
            return false
        }
        return ranges.isLacking && !ranges.isLast
    }

    /// Renders all images of an assignment from the asset's file; images with equal render options are rendered only
    /// once.
    private func render(
        _ asset: Asset, for assignment: RenderAssignment, by renderer: Renderer
    ) throws(RenderError) -> [Result<PipelineImage, ImageRequestError>] {
        guard assignment.key.kind != .preview else {
            let image = try renderPreview(of: asset, for: assignment, by: renderer)
            keepThumbHash(of: [.success(image)], asset)
            return [.success(PipelineImage(image))]
        }
        // Refuses a file if the length that the asset states is above the limit, even if the file is in fact shorter.
        // The pipeline has made the same comparison, and has reserved no memory for such a file, so the file must not
        // be read.
        let version = assignment.key.subject.version
        // The file of a video may be longer than the limit, because only its cover picture is read, or its index and
        // some frames.
        guard asset.mediaType == .video || asset.fileSize(of: version) ?? asset.fileSize <= limits.byteCount else {
            throw .limitExceeded(limit: .bytes)
        }
        let keys = assignment.keys
        var options: [RenderOptions] = []
        for key in keys where !options.contains(key.options) { options.append(key.options) }
        let source = try source(of: asset, assignment)
        let results = try renderer.render(
            source, head: asset.head(of: version), options: options.map(withPreviews), limits: limits,
            makesThumbHash: wantsThumbHash(asset, assignment), cancellation: assignment.token)
        try check(source, asset, version)
        keepThumbHash(of: results, asset)
        return keys.map { key in
            results[options.firstIndex(of: key.options)!]
                .map { PipelineImage($0) }
                .mapError { ImageRequestError($0) }
                .flatMap { encoded($0, as: key, of: asset) }
        }
    }

    private func made(
        of input: RenderInput, _ asset: Asset, _ assignment: RenderAssignment
    ) throws(RenderError) -> Result<PipelineImage, ImageRequestError> {
        let (shared, facts) = (input.shared, input.shared.facts)
        guard let bitmap = shared.packedPixels?.unpacked() ?? shared.bitmap else {
            preconditionFailure("an image without pixels is to be read")
        }
        if facts.isPacked { return .success(PipelineImage(.pixels(bitmap), facts).consisting(of: bitmap)) }
        let image = PipelineImage(.pixels(bitmap), facts)
        guard let box = input.box else { return encoded(image, as: assignment.key, of: asset) }
        guard let geometry = assignment.work.geometry else {
            preconditionFailure("an image of unknown geometry is to be resampled")
        }
        let resampled = try bitmap.resampled(
            box, to: geometry.outputSize, options: assignment.key.options, cancellation: assignment.token)
        return .success(image.consisting(of: resampled))
    }

    private func packed(_ input: RenderInput?, for tier: MemoryTier) -> RenderOutcome {
        guard let shared = input?.shared, let bitmap = shared.bitmap ?? shared.packedPixels?.unpacked() else {
            preconditionFailure("an image without pixels is to be packed")
        }
        guard let packed = tier.packed(bitmap), packed.byteCount < shared.facts.byteCount else { return .notSmaller }
        return .image(PipelineImage(.pixels(bitmap), shared.facts).consisting(of: packed, in: tier))
    }

    private func renderPreview(
        of asset: Asset, for assignment: RenderAssignment, by renderer: Renderer
    ) throws(RenderError) -> RenderedImage {
        let version = assignment.key.subject.version
        var options = withPreviews(assignment.key.options)
        if let proxy = asset.localProxy(of: version) {
            options.allowsUpscaling = false
            return try renderer.render(
                try open(proxy), options: options, limits: limits,
                makesThumbHash: wantsThumbHash(asset, assignment), cancellation: assignment.token)
        }
        let source = try source(of: asset, assignment)
        let image = try renderer.renderPreview(
            source, head: asset.head(of: version), options: options, limits: limits,
            makesThumbHash: wantsThumbHash(asset, assignment), cancellation: assignment.token)
        try check(source, asset, version)
        return image
    }

    /// Whether this render also makes the asset's thumb hash. It does if the setting `makesThumbHashes` is on, the
    /// asset has no hash yet, and the render shows the asset's current version. A hash shows the whole picture. So a
    /// final rendition makes none if only some ranges of the file were fetched, because they may cover only a part of
    /// the picture.
    private func wantsThumbHash(_ asset: Asset, _ assignment: RenderAssignment) -> Bool {
        makesThumbHashes && (assignment.key.kind == .preview || !(assignment.bytes?.source is GatheredByteSource))
            && assignment.key.subject.version == .current && assignment.key.options.frameTime == nil
            && asset.thumbHash == nil
    }

    /// Stores the thumb hash before the image is delivered, so that every receiver of an image finds the asset's hash.
    private func keepThumbHash(of results: [Result<RenderedImage, RenderError>], _ asset: Asset) {
        for case .success(let image) in results {
            if let hash = image.thumbHash { asset.keepThumbHash(hash) }
        }
    }

    private func withPreviews(_ options: RenderOptions) -> RenderOptions {
        var options = options
        options.usesEmbeddedPreviews = usesEmbeddedPreviews
        return options
    }

    /// Encodes the image as a file if the rendition's key contains an encoding. Otherwise returns the image unchanged.
    private func encoded(
        _ image: PipelineImage, as key: RenditionKey, of asset: Asset
    ) -> Result<PipelineImage, ImageRequestError> {
        guard let encoding = key.encoding else { return .success(image) }
        let tag = EntityTag(key, of: asset, usesEmbeddedPreviews: usesEmbeddedPreviews)
        do throws(RenderError) {
            return .success(try image.encoded(as: encoding, tag: tag))
        } catch {
            return .failure(ImageRequestError(error))
        }
    }

    private func readFile(
        of asset: Asset, _ assignment: RenderAssignment
    ) throws(RenderError) -> PipelineImage {
        let source = try source(of: asset, assignment)
        guard source.byteCount <= limits.byteCount else { throw .limitExceeded(limit: .bytes) }
        let bytes: [UInt8]
        do throws(ByteSourceError) {
            // Bytes that came over the network are already in memory, so they are not read again.
            bytes = if let memory = source as? MemoryByteSource { memory.contents } else { try source.bytes() }
        } catch {
            throw .source(error)
        }
        let version = assignment.key.subject.version
        try check(source, asset, version)
        // A file whose type is unknown is still delivered.
        let head = asset.head(of: version) ?? (try? ImageHead(reading: MemoryByteSource(bytes)))
        let data = ImageData(
            bytes: bytes, contentType: head?.contentType ?? ContentType(rawValue: "application/octet-stream"),
            orientation: head?.orientation ?? .up, pixelSize: head?.displaySize ?? asset.pixelSize,
            entityTag: EntityTag(ofFileOf: asset, version))
        return PipelineImage(data, encodedFrom: nil)
    }

    private func source(of asset: Asset, _ assignment: RenderAssignment) throws(RenderError) -> any ByteSource {
        if let bytes = assignment.bytes { return bytes.source }
        let version = assignment.key.subject.version
        let source = try open(asset.resource(of: version))
        try check(source, asset, version)
        return source
    }

    /// Refuses a file that is not, or no longer, the one that the library has seen. It is looked at through its descriptor,
    /// so nothing that takes its place at the path is looked at instead. A file that is written in place while it is read is
    /// found by the second look, after the read.
    private func check(_ source: any ByteSource, _ asset: Asset, _ version: ImageVersion) throws(RenderError) {
        guard refusesChangedFiles, let file = source as? FileByteSource, !asset.isUnchanged(file, of: version) else {
            return
        }
        throw .source(.notFound(path: file.path))
    }

    private func open(_ resource: AssetResource) throws(RenderError) -> any ByteSource {
        do throws(ByteSourceError) {
            let source = try resource.open()
            if let roots, let file = source as? FileByteSource, !roots.contain(file) {
                throw .notFound(path: file.path)
            }
            return source
        } catch {
            throw .source(error)
        }
    }
}

extension PipelineImage {
    fileprivate init(_ image: RenderedImage) {
        self.init(
            .pixels(image.bitmap),
            ImageFacts(
                pixelSize: image.bitmap.size, byteCount: image.bitmap.byteCount,
                source: ImageInfo.Source(image.source), eighths: image.eighths, decoder: image.decoder,
                isPartial: image.isPartial))
    }

    /// Makes an image that is an encoded file.
    ///
    /// - Parameter facts: the facts about the image that the file was encoded from; nil for an asset's own file.
    fileprivate init(_ data: ImageData, encodedFrom facts: ImageFacts?) {
        var fileFacts = ImageFacts(
            pixelSize: data.pixelSize, byteCount: data.memoryByteCount, source: facts?.source, eighths: facts?.eighths,
            decoder: facts?.decoder, isPartial: facts?.isPartial ?? false)
        fileFacts.isFromNetwork = facts?.isFromNetwork ?? false
        fileFacts.networkMilliseconds = facts?.networkMilliseconds ?? 0
        self.init(.file(data), fileFacts)
    }

    fileprivate func encoded(as encoding: ImageEncoding, tag: EntityTag) throws(RenderError) -> PipelineImage {
        guard case .pixels(let bitmap) = contents else {
            preconditionFailure("an image without pixels is to be encoded")
        }
        let data = ImageData(
            bytes: try bitmap.encoded(as: encoding), contentType: encoding.contentType, orientation: .up,
            pixelSize: bitmap.size, entityTag: tag)
        return PipelineImage(data, encodedFrom: facts)
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
