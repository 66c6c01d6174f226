import ThumbwheelCore
import ThumbwheelFormats

/// One decode of a whole image file to the images that several options ask for: a strict decode, and where that fails a
/// tolerant one that shows how much there is.
struct RenderJob {
    private(set) var bytes: any ByteSource
    let head: ImageHead
    /// Not empty, and of one quality.
    let options: [RenderOptions]
    let limits: RenderLimits
    let guardian: DecodeGuard
    /// Whether a hash is made in passing, of the whole decode.
    let makesThumbHash: Bool
    let assistants: (any RenderAssistants)?
    /// Nil for what no loader of libvips is asked to take.
    let loader: VipsLoader?
    let conversion: ColorConversion
    /// One for each of the options.
    let geometries: [RenditionGeometry]
    /// The scale of the decode, in eighths: the largest that any geometry wants.
    let decodeEighths: Int

    /// Whether this library's own JPEG decoder is asked first.
    let usesOwnDecoder: Bool
    /// False if the scan headers of a progressive JPEG do not announce the whole image.
    private let hasAllScans: Bool

    var quality: RenderQuality { options[0].quality }

    /// - Parameter allowsOwnDecoder: false where that has turned out not to cover the file.
    init(
        _ source: any ByteSource, head: ImageHead, options: [RenderOptions], limits: RenderLimits,
        guardian: DecodeGuard, makesThumbHash: Bool = false, assistants: (any RenderAssistants)? = nil,
        allowsOwnDecoder: Bool = true
    ) throws(RenderError) {
        let loader = VipsLoader(head)
        guard loader != nil || head.contentType == .bmp else { throw .unsupportedFormat }
        self.head = head
        self.options = options
        self.limits = limits
        self.guardian = guardian
        self.makesThumbHash = makesThumbHash
        self.assistants = assistants
        self.loader = loader
        conversion = ColorConversion(head)
        precondition(options.allSatisfy { $0.quality == options[0].quality }, "one decode for several qualities")
        let usesOwnDecoder = allowsOwnDecoder && head.isForOwnJPEGDecoder
        self.usesOwnDecoder = usesOwnDecoder
        geometries = try options.map { options throws(RenderError) in
            try RenditionGeometry(
                displaySize: head.displaySize, options: options,
                naturalEighths: usesOwnDecoder
                    ? RenditionGeometry.naturalEighths(for: head)
                    : RenditionGeometry.naturalEighths(for: head.contentType))
        }
        decodeEighths = geometries.map(\.decodeEighths).max()!
        try Self.checkMemory(
            of: source, head: head,
            DecoderMemory(
                head: head, eighths: decodeEighths, isOwnJPEG: usesOwnDecoder, byteCount: source.byteCount),
            limit: limits.memoryByteCount)
        hasAllScans =
            loader == .jpeg && !usesOwnDecoder
            ? try JPEGScanCount(checking: source, guardian: guardian).hasAllBits : true
        do throws(ByteSourceError) {
            switch loader {
            case .jpeg where !usesOwnDecoder:
                bytes =
                    try JPEGWithoutMetadata(source, keepingProfile: head.profile != nil && conversion != .none)
                    ?? source
            default:
                bytes = source
            }
        } catch {
            throw .source(error)
        }
        try prepare()
    }

    /// Replaces the bytes by ones that are safe and cheap for libvips to read.
    private mutating func prepare() throws(RenderError) {
        switch loader {
        case .heif:
            // libheif asserts that its reads succeed: a read that fails in order to stop the decode would end the
            // process.
            bytes = MemoryByteSource(try bytes.bytes(to: bytes.byteCount, checking: guardian))
        case .png where head.profile != nil && conversion != .output:
            bytes = try PNGWithoutProfile(bytes) ?? bytes
        case .gif where head.frameCount > 1:
            // Found a second time here, because it is not worth a field of the head.
            if let first = try GIFFirstPicture(in: bytes, checking: guardian)?.file(in: bytes, checking: guardian) {
                bytes = first
            }
        default: break
        }
    }

    private static func checkMemory(
        of source: any ByteSource, head: ImageHead, _ memory: DecoderMemory, limit: Int
    ) throws(RenderError) {
        guard memory.most > limit else { return }
        // A PNG is decoded row by row unless it is interlaced, which the last byte of its header chunk tells.
        var window = ByteWindow(source)
        if head.contentType == .png, memory.usual <= limit, try window.byte(at: 28) == 0 { return }
        throw .limitExceeded(limit: .memory)
    }

    /// - Returns: an image for each of the options.
    func run() throws(RenderError) -> [RenderedImage] {
        if usesOwnDecoder {
            if let images = try runOwnJPEG() { return images }
            return try RenderJob(
                bytes, head: head, options: options, limits: limits, guardian: guardian,
                makesThumbHash: makesThumbHash, allowsOwnDecoder: false
            ).run()
        }
        let strict = try attempt(tolerance: .none)
        switch strict.failure {
        case nil:
            guard !strict.images.isEmpty, !lacksScans(strict) else {
                return try partial(strict, because: .truncated(decodedFraction: 0))
            }
            return strict.images
        case .truncated(let fraction):
            return loader == .jpeg
                ? try tolerantJPEG() : try partial(strict, because: .truncated(decodedFraction: fraction))
        case .malformed(let reason):
            return loader == .jpeg ? try tolerantJPEG() : try partial(strict, because: .malformed(reason: reason))
        case let failure?:
            throw failure
        }
    }

    /// libjpeg warns of things that do no harm, and goes on where data are missing, leaving neutral grey: so the pixels
    /// themselves must tell whether the image is whole.
    private func tolerantJPEG() throws(RenderError) -> [RenderedImage] {
        let tolerant = try attempt(tolerance: .all)
        if let failure = tolerant.failure { throw failure }
        // Converted samples show no telltale grey; there the end of the file is what tells.
        let isCutShort = tolerant.reachedEnd && conversion == .stream
        guard !tolerant.images.isEmpty, !tolerant.endsGrey, !isCutShort, !lacksScans(tolerant) else {
            return try partial(tolerant, because: .truncated(decodedFraction: tolerant.decodedFraction))
        }
        return tolerant.images
    }

    /// Whether a progressive file ended before its last scan. Such an image has no grey part, but nothing in it is
    /// sharp, and no warning comes if the file ends between two scans. A file that lacks only its end marker is
    /// complete.
    private func lacksScans(_ attempt: RenderAttempt) -> Bool {
        attempt.reachedEnd && head.jpeg?.process == .progressive && !hasAllScans
    }

    /// What there is of a damaged image, for those who would rather have that than nothing.
    private func partial(
        _ attempt: RenderAttempt, because failure: RenderError
    ) throws(RenderError) -> [RenderedImage] {
        guard quality == .fast, attempt.decodedRowCount > 0, !attempt.images.isEmpty else { throw failure }
        return attempt.images.map { image in
            var image = image
            image.isPartial = true
            image.thumbHash = nil
            return image
        }
    }
}
