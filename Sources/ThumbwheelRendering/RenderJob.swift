import ThumbwheelCore
import ThumbwheelFormats

/// The work of making one or more images, each with its own options, from one image file by one given decoder. All
/// images come from the same decode, which stops at any damage. The file may then be decoded a second time, with
/// tolerance for the damage, to show as much of the image as can be decoded.
struct RenderJob {
    let bytes: any ByteSource
    let head: ImageHead
    /// The options of the images to make. There is at least one. All have the same quality, the same `pixelRange`
    /// (range of light and colours) and, for a video, the same frame.
    let options: [RenderOptions]
    let limits: RenderLimits
    let guardian: DecodeGuard
    /// Whether a `ThumbHash` of the whole image is made from the same decode.
    let makesThumbHash: Bool
    let assistants: (any RenderAssistants)?
    /// The video, if it has been opened for another job already.
    let video: VideoReading?
    let chosen: ChosenDecoder
    let conversion: ColorConversion
    /// The geometries of the images, one for each of the options.
    let geometries: [RenditionGeometry]
    /// The scale of the decode in eighths of full size: the largest scale that any of the geometries needs.
    let decodeEighths: Int

    var quality: RenderQuality { options[0].quality }
    var isExtended: Bool { options[0].pixelRange == .extended }

    /// Decodes the file by the first of its decoders that can read it.
    ///
    /// - Parameters:
    ///   - head: the facts in the header of the file, or of the picture inside a RAW file.
    ///   - options: the options of the images. There is at least one. All have the same quality, the same `pixelRange`
    ///     (range of light and colours) and, for a video, the same frame.
    /// - Returns: an image for each of the options.
    static func run(
        _ source: any ByteSource, head: ImageHead, options: [RenderOptions], limits: RenderLimits,
        guardian: DecodeGuard, makesThumbHash: Bool = false, assistants: (any RenderAssistants)? = nil,
        video: VideoReading? = nil
    ) throws(RenderError) -> [RenderedImage] {
        for chosen in head.chosenDecoders {
            let job = try RenderJob(
                source, head: head, options: options, limits: limits, guardian: guardian,
                makesThumbHash: makesThumbHash, assistants: assistants, video: video, chosen: chosen)
            if let images = try job.run() { return images }
        }
        throw .unsupportedFormat
    }

    /// Returns the ranges of a remote file that a decode will read, except the ranges that this function itself has
    /// already read from `source`. Nil if the ranges cannot be determined, so that the whole file has to be fetched.
    ///
    /// - Parameter readsAlternatives: whether all frames are read from which a video's poster may be chosen, and not
    ///   only the first one.
    static func neededRanges(
        _ source: any ByteSource, head: ImageHead, options: RenderOptions, limits: RenderLimits, guardian: DecodeGuard,
        readsAlternatives: Bool
    ) throws(RenderError) -> [Range<Int>]? {
        guard let chosen = head.chosenDecoder else { return nil }
        let job = try RenderJob(
            source, head: head, options: [options], limits: limits, guardian: guardian, makesThumbHash: false,
            assistants: nil, video: nil, chosen: chosen)
        var input = job.input(tolerance: .none)
        input.readsAlternatives = readsAlternatives
        return try chosen.codec.neededRanges(input)
    }

    init(
        _ source: any ByteSource, head: ImageHead, options: [RenderOptions], limits: RenderLimits,
        guardian: DecodeGuard, makesThumbHash: Bool, assistants: (any RenderAssistants)?, video: VideoReading?,
        chosen: ChosenDecoder
    ) throws(RenderError) {
        bytes = source
        self.head = head
        self.options = options
        self.limits = limits
        self.guardian = guardian
        self.makesThumbHash = makesThumbHash
        self.assistants = assistants
        self.video = video
        self.chosen = chosen
        conversion = ColorConversion(head)
        precondition(
            options.allSatisfy {
                $0.quality == options[0].quality && $0.pixelRange == options[0].pixelRange
                    && $0.frameTime == options[0].frameTime
            }, "one decode for several qualities, formats or frames")
        geometries = try options.map { options throws(RenderError) in
            try RenditionGeometry(displaySize: head.displaySize, options: options, naturalEighths: chosen.eighths)
        }
        decodeEighths = geometries.map(\.decodeEighths).max()!
        let memory = chosen.memory(for: head, eighths: decodeEighths, byteCount: source.byteCount)
        let limit = limits.memoryByteCount
        if memory.maximum > limit {
            guard memory.minimumLimit <= limit, try chosen.codec.fitsMinimumLimit(source) else {
                throw .limitExceeded(limit: .memory)
            }
        }
    }

    /// - Returns: an image for each of the options; nil if the decoder finds out that it cannot read the file.
    private func run() throws(RenderError) -> [RenderedImage]? {
        var strict = RenderAttempt()
        do throws(RenderError) {
            guard let decode = try open(tolerance: .none) else { return nil }
            if let planes = decode as? any PlaneDecoder { return try images(ofPlanes: planes) }
            strict = try attempt(decode, tolerance: .none)
        } catch {
            strict.failure = error
        }
        switch strict.failure {
        case nil:
            guard !strict.images.isEmpty, try showsWholePicture(strict) else {
                return try partial(strict, because: .truncated(decodedFraction: 0))
            }
            return strict.images
        case let failure?:
            guard failure.isDamage else { throw failure }
            return chosen.codec.repeatsDamagedDecode(chosen.decoder)
                ? try tolerantImages() : try partial(strict, because: failure)
        }
    }

    private func open(tolerance: DamageTolerance) throws(RenderError) -> (any RowDecoder)? {
        try chosen.codec.open(input(tolerance: tolerance))
    }

    private func input(tolerance: DamageTolerance) -> DecoderInput {
        DecoderInput(
            bytes: bytes, head: head, decoder: chosen.decoder, eighths: decodeEighths, reduction: reduction,
            hidesBlockEdges: hidesBlockEdges, minimumScale: minimumScale,
            region: .covering(geometries.map(\.sourceBox)), tolerance: tolerance,
            quality: quality, allowsCoarseChroma: quality == .high && !geometries.contains(where: \.isNatural),
            conversion: conversion, limits: limits, guardian: guardian, keepsAllBits: isExtended,
            deliversDecode: geometries.contains(where: \.isNatural),
            smallestScale: geometries.map(\.scale).min() ?? 1, frameTime: options[0].frameTime, video: video)
    }

    /// The number of decoded pixels, in each direction, that a decoder may average into one pixel. The largest of the
    /// requested images must still get enough pixels. If a `ThumbHash` is made, the averaged decode must also be larger
    /// than the small picture from which the hash is made.
    private var reduction: Int {
        let scale = Double(decodeEighths) / 8
        let ratios = zip(geometries, options).map { geometry, options in
            let ratio = scale / geometry.scale
            return geometry.isNatural || ratio <= 4 ? 1 : Int(min(ratio / options.averagingHeadroom, 256))
        }
        let least = max(1, ratios.min()!)
        guard makesThumbHash else { return least }
        return min(
            least,
            max(
                1,
                Int(scale * Double(max(head.storedSize.width, head.storedSize.height))) / (4 * ResamplingPlan.hashSide))
        )
    }

    /// Whether the edges of coding blocks vanish in all images: where at least four of a decode's pixels become one of the
    /// pixels that an image needs, in each direction.
    private var hidesBlockEdges: Bool {
        zip(geometries, options).allSatisfy { geometry, options in
            !geometry.isNatural && Double(decodeEighths) / 8 / geometry.scale >= 4 * options.decodeHeadroom
        }
    }

    /// The smallest scale at which a decode of the photograph has enough pixels for all images, at most 1 (full size).
    private var minimumScale: Double {
        let scale = zip(geometries, options).map { geometry, options in geometry.minimumScale(options) }.max()!
        guard makesThumbHash else { return min(1, scale) }
        let longer = Double(max(head.storedSize.width, head.storedSize.height))
        return min(1, max(scale, Double(4 * ResamplingPlan.hashSide) / longer))
    }

    /// Decodes the file a second time, because the first decode has ended at damage, and makes the images from the
    /// second decode. The second decode continues after missing data and puts neutral grey in their place, so it may
    /// end without an error although data are missing. Grey pixels at the end of the image are then the sign of missing
    /// data, and make the image count as incomplete.
    private func tolerantImages() throws(RenderError) -> [RenderedImage] {
        guard let decode = try open(tolerance: .all) else { throw .unsupportedFormat }
        let tolerant = try attempt(decode, tolerance: .all)
        if let failure = tolerant.failure { throw failure }
        // Whether the file counts as cut short because the decoder asked for bytes past the file's end. This sign is
        // used only if colours are converted before resampling. That conversion changes the neutral grey in place of
        // missing data, so the grey cannot be recognised.
        let isCutShort = tolerant.reachedEnd && conversion == .stream
        guard !tolerant.images.isEmpty, !tolerant.endsGrey, !isCutShort, try showsWholePicture(tolerant) else {
            return try partial(tolerant, because: .truncated(decodedFraction: tolerant.decodedFraction))
        }
        return tolerant.images
    }

    private func showsWholePicture(_ attempt: RenderAttempt) throws(RenderError) -> Bool {
        guard attempt.reachedEnd else { return true }
        return try chosen.codec.announcesWholePicture(bytes, head: head, checking: guardian)
    }

    /// At fast quality, returns the images of a damaged file, which show the part that was decoded. Throws `failure` at
    /// high quality, or if nothing was decoded.
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

extension RenderError {
    /// Whether the error means that the file is damaged. The rows decoded before such an error are valid.
    var isDamage: Bool {
        switch self {
        case .truncated, .malformed: true
        default: false
        }
    }
}
