import ThumbwheelCore
import ThumbwheelFormats

/// Makes bitmaps from the bytes of image files, on the calling thread.
public struct Renderer: Sendable {
    let assistants: (any RenderAssistants)?
    /// The decoder processes, and the files that go to them; nil if all files are decoded in this process.
    let isolation: RenderIsolation?

    /// Makes a renderer that uses only the calling thread.
    public init() { self.init(assistants: nil, isolation: nil) }

    /// - Parameters:
    ///   - assistants: idle threads that help with large images. The results are the same without them.
    ///   - isolation: the decoder processes, and the rule for the files that are decoded in them; nil if all files are
    ///     decoded in this process.
    package init(assistants: (any RenderAssistants)?, isolation: RenderIsolation? = nil) {
        self.assistants = assistants
        self.isolation = isolation
    }

    /// Renders one image from an image file.
    ///
    /// - Parameters:
    ///   - source: the file's bytes.
    ///   - head: the facts in the file's header, if the caller has read them already.
    ///   - limits: the limits of the rendering. Pixels, bytes, frames and memory are checked before any decode; time is
    ///     checked during the decode.
    ///   - makesThumbHash: whether the image comes with a `ThumbHash` of the whole picture, made from the same decode.
    ///   - cancellation: a token to stop the rendering, checked whenever the decoder reads, and between bands of rows.
    /// - Returns: the image. In a RAW file, the largest preview counts as the photograph. In a video, a frame counts as
    ///   the photograph, or the cover picture if no decoder of videos is installed and `head` states a cover picture.
    ///   Quality `.fast` differs in two ways:
    ///   - A damaged file gives an image of the part that could be decoded, on neutral grey (128, 128, 128), with
    ///     `isPartial` set.
    ///   - If a preview in the file has enough pixels for the target, the image is made from the preview instead of the
    ///     photograph. The options can forbid this. A preview that shows another picture than the photograph is not
    ///     used. To find this out, the upper part of the photograph is decoded and compared with the same part of the
    ///     preview.
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

    /// Renders an image for each of `options`. An image is made from a preview in the file if one is good enough. The
    /// others share decodes, each at the largest scale that any of its images needs: one decode for the images with
    /// 8-bit channels, and one for the images in linear light.
    ///
    /// - Parameter options: the options of the images, all of the same quality.
    /// - Returns: the result for each of the options, in the same order. An image from a shared decode has at least as
    ///   much detail as the same image rendered alone. Its pixels may differ slightly, because the shared decode may
    ///   have a larger scale than this image needs.
    /// - Throws: an error that prevents all of the images. For damaged files at quality `.high`, this is `.truncated`
    ///   or `.malformed`.
    @available(*, noasync, message: "await Thumbnail.image(from:size:contentMode:options:limits:)")
    public func render(
        _ source: any ByteSource, head: ImageHead? = nil, options: [RenderOptions],
        limits: RenderLimits = RenderLimits(), makesThumbHash: Bool = false, cancellation: CancellationToken? = nil
    ) throws(RenderError) -> [Result<RenderedImage, RenderError>] {
        guard isolation == nil || head?.shownCover != nil else {
            return try renderIsolated(
                .images(options), of: source, head: head, limits: limits, makesThumbHash: makesThumbHash,
                cancellation: cancellation)
        }
        return try renderInProcess(
            source, head: head, options: options, limits: limits, makesThumbHash: makesThumbHash,
            cancellation: cancellation, fence: nil)
    }

    /// Renders images in this process.
    ///
    /// - Parameter fence: forbids the decoders of other libraries, such as libvips, in this process, so that only this
    ///   library's own decoders are used. Nil if all decoders are allowed.
    func renderInProcess(
        _ source: any ByteSource, head: ImageHead?, options: [RenderOptions], limits: RenderLimits,
        makesThumbHash: Bool, cancellation: CancellationToken?, fence: DecoderFence?
    ) throws(RenderError) -> [Result<RenderedImage, RenderError>] {
        let guardian = DecodeGuard(cancellation: cancellation, duration: limits.duration, fence: fence)
        try guardian.check()
        let head = try Self.head(of: source, known: head)
        if let cover = head.shownCover {
            return try renderCover(
                cover, in: source, options: options, limits: limits, makesThumbHash: makesThumbHash,
                cancellation: cancellation)
        }
        guard head.isOfFrames || source.byteCount <= limits.byteCount else { throw .limitExceeded(limit: .bytes) }
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
        // Images with different values of `pixelRange` need samples of different sizes. So each value has a decode of
        // its own.
        for range in [PixelRange.standard, .extended] {
            let shared = decoded.filter { options[$0].pixelRange == range }
            guard !shared.isEmpty else { continue }
            let made = try decode(
                source, head: head, options: shared.map { options[$0] }, limits: limits, guardian: guardian,
                makesThumbHash: makesThumbHash)
            for (index, result) in zip(shared, made) { results[index] = result }
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
    ) throws(RenderError) -> [Result<RenderedImage, RenderError>] {
        if head.isOfFrames {
            return try renderFrames(
                of: source, head: head, options: options, limits: limits, guardian: guardian,
                makesThumbHash: makesThumbHash)
        }
        guard head.contentType.isRAW else {
            return try RenderJob.run(
                source, head: head, options: options, limits: limits, guardian: guardian,
                makesThumbHash: makesThumbHash, assistants: assistants
            ).map { .success($0) }
        }
        guard let picture = head.rawPicture else { throw .noPreview }
        return try renderPicture(
            picture, in: source, head: head, options: options, limits: limits, guardian: guardian,
            makesThumbHash: makesThumbHash
        ).map { .success($0) }
    }

    /// The facts in the file's header: `known` if it is given, otherwise read from the source.
    static func head(of source: any ByteSource, known: ImageHead?) throws(RenderError) -> ImageHead {
        if let known { return known }
        do throws(HeadError) {
            do throws(HeadError) {
                return try ImageHead(reading: source)
            } catch .unknownType where VideoDecoders.isInstalled {
                return try PhotographFacts(readingVideo: source).head
            }
        } catch {
            throw RenderError(error)
        }
    }
}

extension RenderError {
    /// Converts an error in reading a file's header to the corresponding rendering error.
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
