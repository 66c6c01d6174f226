import ThumbwheelCore
import ThumbwheelFormats

/// Makes bitmaps from the bytes of image files, on the calling thread.
public struct Renderer: Sendable {
    private let assistants: (any RenderAssistants)?

    /// Makes a renderer, which uses the calling thread alone.
    public init() { assistants = nil }

    /// - Parameter assistants: help with large images where they have nothing else to do. No result depends on them.
    package init(assistants: any RenderAssistants) { self.assistants = assistants }

    /// Renders an image.
    ///
    /// - Parameters:
    ///   - source: the file's bytes.
    ///   - head: the file's head, if the caller has read it already.
    ///   - limits: pixels, bytes, frames and memory are checked before any decode; time while it runs.
    ///   - makesThumbHash: whether the image comes with the hash of all that the file shows, made in passing.
    ///   - cancellation: checked whenever the decoder reads, and between bands of rows.
    /// - Returns: the image. Quality `.fast` differs in two ways:
    ///   - A damaged file gives what could be decoded of it, on neutral grey (128, 128, 128), with `isPartial` set.
    ///   - A preview in the file that covers the target serves instead of the photograph, unless the options forbid it
    ///     or its contents differ from the photograph's first bytes. In a RAW file the largest preview is the
    ///     photograph.
    /// - Throws: `.truncated` or `.malformed` for damaged files at quality `.high`.
    @available(*, noasync, message: "await Thumbnail.image(from:size:contentMode:options:limits:)")
    public func render(
        _ source: any ByteSource, head: ImageHead? = nil, options: RenderOptions, limits: RenderLimits = RenderLimits(),
        makesThumbHash: Bool = false, cancellation: CancellationToken? = nil
    ) throws(RenderError) -> RenderedImage {
        try render(
            source, head: head, options: [options], limits: limits, makesThumbHash: makesThumbHash,
            cancellation: cancellation)[0].get()
    }

    /// Renders an image for each of `options`, of one decode at the largest scale that any of them wants; what a preview in
    /// the file gives comes from that.
    ///
    /// - Parameter options: all of one quality.
    /// - Returns: what each came to, in their order. An image of a larger or finer decode than its own has no less detail than
    ///   alone, and is not equal to it to the last bit.
    /// - Throws: what makes all of them impossible; `.truncated` or `.malformed` for damaged files at quality `.high`.
    @available(*, noasync, message: "await Thumbnail.image(from:size:contentMode:options:limits:)")
    public func render(
        _ source: any ByteSource, head: ImageHead? = nil, options: [RenderOptions],
        limits: RenderLimits = RenderLimits(), makesThumbHash: Bool = false, cancellation: CancellationToken? = nil
    ) throws(RenderError) -> [Result<RenderedImage, RenderError>] {
        let guardian = DecodeGuard(cancellation: cancellation, duration: limits.duration)
        try guardian.check()
        let head = try Self.head(of: source, known: head)
        guard source.byteCount <= limits.byteCount else { throw .limitExceeded(limit: .bytes) }
        guard head.storedSize.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        guard head.frameCount <= limits.frameCount else { throw .limitExceeded(limit: .frames) }
        if let profile = head.profile, profile.byteCount > ColorConversion.profileByteLimit,
            Codecs[head.contentType]?.readsWholeProfile ?? false
        {
            throw .malformed(reason: "a colour profile of \(profile.byteCount) bytes")
        }
        let evidence = PhotographEvidence(source, head: head, guardian: guardian)
        var results: [Result<RenderedImage, RenderError>?] = []
        for options in options {
            results.append(
                try resultWithoutDecode(
                    source, evidence: evidence, options: options, limits: limits, guardian: guardian,
                    makesThumbHash: makesThumbHash))
        }
        let decoded = results.indices.filter { results[$0] == nil }
        if !decoded.isEmpty {
            let images = try decode(
                source, head: head, options: decoded.map { options[$0] }, limits: limits, guardian: guardian,
                makesThumbHash: makesThumbHash)
            for (index, image) in zip(decoded, images) { results[index] = .success(image) }
        }
        return results.map { $0! }
    }

    /// The result for options that need no decode of the photograph: an image made from a preview, or an error. Nil if
    /// the photograph has to be decoded.
    private func resultWithoutDecode(
        _ source: any ByteSource, evidence: PhotographEvidence, options: RenderOptions, limits: RenderLimits,
        guardian: DecodeGuard, makesThumbHash: Bool
    ) throws(RenderError) -> Result<RenderedImage, RenderError>? {
        let image = try renderFromPreview(
            source, evidence: evidence, options: options, limits: limits, guardian: guardian,
            makesThumbHash: makesThumbHash)
        if let image { return .success(image) }
        let geometry: RenditionGeometry
        do throws(RenderError) {
            geometry = try RenditionGeometry(displaySize: evidence.head.displaySize, options: options)
        } catch {
            return .failure(error)
        }
        return geometry.outputSize.pixelCount > limits.pixelCount ? .failure(.limitExceeded(limit: .pixels)) : nil
    }

    private func decode(
        _ source: any ByteSource, head: ImageHead, options: [RenderOptions], limits: RenderLimits,
        guardian: DecodeGuard, makesThumbHash: Bool
    ) throws(RenderError) -> [RenderedImage] {
        guard head.contentType.isRAW else {
            return try RenderJob.run(
                source, head: head, options: options, limits: limits, guardian: guardian,
                makesThumbHash: makesThumbHash, assistants: assistants)
        }
        guard let picture = head.rawPicture else { throw .noPreview }
        return try renderPicture(
            picture, in: source, head: head, options: options, limits: limits, guardian: guardian,
            makesThumbHash: makesThumbHash)
    }

    /// The given head, or the one that is read from the source.
    static func head(of source: any ByteSource, known: ImageHead?) throws(RenderError) -> ImageHead {
        if let known { return known }
        do throws(HeadError) {
            return try ImageHead(reading: source)
        } catch {
            throw RenderError(error)
        }
    }
}

extension RenderError {
    /// Makes the rendering error for a head that cannot be read.
    public init(_ error: HeadError) {
        self =
            switch error {
            case .unknownType: .unsupportedFormat
            case .truncated: .truncated(decodedFraction: 0)
            case .malformed(let reason), .limitExceeded(let reason): .malformed(reason: reason)
            case .source(let error): .source(error)
            }
    }
}
