import ThumbwheelCore
import ThumbwheelFormats

/// One decode of a whole image file, by one decoder, to the images that several options ask for: a strict decode, and
/// where that fails perhaps a tolerant one that shows how much there is.
struct RenderJob {
    let bytes: any ByteSource
    let head: ImageHead
    /// Not empty, and of one quality.
    let options: [RenderOptions]
    let limits: RenderLimits
    let guardian: DecodeGuard
    /// Whether a hash is made in passing, of the whole decode.
    let makesThumbHash: Bool
    let assistants: (any RenderAssistants)?
    let chosen: ChosenDecoder
    let conversion: ColorConversion
    /// One for each of the options.
    let geometries: [RenditionGeometry]
    /// The scale of the decode, in eighths: the largest that any geometry wants.
    let decodeEighths: Int

    var quality: RenderQuality { options[0].quality }

    /// Decodes by the first decoder that covers the file.
    ///
    /// - Parameters:
    ///   - head: the head of the file, or of the picture in it.
    ///   - options: not empty, and of one quality.
    /// - Returns: an image for each of the options.
    static func run(
        _ source: any ByteSource, head: ImageHead, options: [RenderOptions], limits: RenderLimits,
        guardian: DecodeGuard, makesThumbHash: Bool = false, assistants: (any RenderAssistants)? = nil
    ) throws(RenderError) -> [RenderedImage] {
        for chosen in head.chosenDecoders {
            let job = try RenderJob(
                source, head: head, options: options, limits: limits, guardian: guardian,
                makesThumbHash: makesThumbHash, assistants: assistants, chosen: chosen)
            if let images = try job.run() { return images }
        }
        throw .unsupportedFormat
    }

    private init(
        _ source: any ByteSource, head: ImageHead, options: [RenderOptions], limits: RenderLimits,
        guardian: DecodeGuard, makesThumbHash: Bool, assistants: (any RenderAssistants)?, chosen: ChosenDecoder
    ) throws(RenderError) {
        bytes = source
        self.head = head
        self.options = options
        self.limits = limits
        self.guardian = guardian
        self.makesThumbHash = makesThumbHash
        self.assistants = assistants
        self.chosen = chosen
        conversion = ColorConversion(head)
        precondition(options.allSatisfy { $0.quality == options[0].quality }, "one decode for several qualities")
        geometries = try options.map { options throws(RenderError) in
            try RenditionGeometry(displaySize: head.displaySize, options: options, naturalEighths: chosen.eighths)
        }
        decodeEighths = geometries.map(\.decodeEighths).max()!
        let memory = chosen.memory(for: head, eighths: decodeEighths, byteCount: source.byteCount)
        let limit = limits.memoryByteCount
        if memory.most > limit {
            guard memory.certain <= limit, try chosen.codec.takesCertainMemory(source) else {
                throw .limitExceeded(limit: .memory)
            }
        }
    }

    /// - Returns: an image for each of the options; nil if the decoder turns out not to cover the file.
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
            guard !strict.images.isEmpty, try isWhole(strict) else {
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
        try chosen.codec.open(
            DecoderInput(
                bytes: bytes, head: head, decoder: chosen.decoder, eighths: decodeEighths, reduction: reduction,
                leastScale: leastScale, region: .covering(geometries.map(\.sourceBox)), tolerance: tolerance,
                quality: quality, allowsCoarseChroma: quality == .high && !geometries.contains(where: \.isNatural),
                conversion: conversion, limits: limits, guardian: guardian))
    }

    /// The decode's pixels for one that the least reduced image needs, as a box reduction would have it. A hash must find
    /// more pixels than it has.
    private var reduction: Int {
        let scale = Double(decodeEighths) / 8
        let ratios = zip(geometries, options).map { geometry, options in
            let ratio = scale / geometry.scale
            return geometry.isNatural || ratio <= 4 ? 1 : Int(min(ratio / options.decodeHeadroom, 256))
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

    /// A high-quality image is made of a decode of more pixels than it has, each way.
    private var leastScale: Double {
        let scale = zip(geometries, options).map { geometry, options in
            geometry.isNatural ? 1 : geometry.scale * (quality == .fast ? 1 : options.decodeHeadroom)
        }.max()!
        guard makesThumbHash else { return min(1, scale) }
        let longer = Double(max(head.storedSize.width, head.storedSize.height))
        return min(1, max(scale, Double(4 * ResamplingPlan.hashSide) / longer))
    }

    /// A decode that goes on where data are missing, leaving neutral grey: the pixels themselves must tell whether the
    /// image is whole.
    private func tolerantImages() throws(RenderError) -> [RenderedImage] {
        guard let decode = try open(tolerance: .all) else { throw .unsupportedFormat }
        let tolerant = try attempt(decode, tolerance: .all)
        if let failure = tolerant.failure { throw failure }
        // Converted samples show no telltale grey; there the end of the file is what tells.
        let isCutShort = tolerant.reachedEnd && conversion == .stream
        guard !tolerant.images.isEmpty, !tolerant.endsGrey, !isCutShort, try isWhole(tolerant) else {
            return try partial(tolerant, because: .truncated(decodedFraction: tolerant.decodedFraction))
        }
        return tolerant.images
    }

    private func isWhole(_ attempt: RenderAttempt) throws(RenderError) -> Bool {
        guard attempt.reachedEnd else { return true }
        return try chosen.codec.announcesWholePicture(bytes, head: head, checking: guardian)
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

extension RenderError {
    /// Whether the file is damaged, and all that was decoded of it stands.
    var isDamage: Bool {
        switch self {
        case .truncated, .malformed: true
        default: false
        }
    }
}
