import ThumbwheelCore
import ThumbwheelFormats

/// The outcome of one decode of a file.
struct RenderAttempt {
    /// The images, one for each of the job's options. There are none if the file could not be opened. If a part of the
    /// decode failed, there are none at high quality. At fast quality, the missing part of the images is grey if the
    /// file is damaged; there are none after any other failure.
    var images: [RenderedImage] = []
    var failure: RenderError?
    /// The number of rows that were decoded. If damage is tolerated, rows at the end that are neutral grey all over do
    /// not count.
    var decodedRowCount = 0
    /// The fraction of the image's height, from 0 to 1, down to the last row that was decoded completely.
    var decodedFraction = 0.0
    /// Whether the last row ends in neutral grey, which is taken to mean that data were missing. This can be true only
    /// if damage is tolerated.
    var endsGrey = false
    /// Whether the decoder asked for bytes past the end of the file, a sign that data may be missing.
    var reachedEnd = false
}

extension RenderJob {
    /// Decodes the file once and resamples the rows into all outputs. Failures while rows are decoded, including
    /// damage, cancellation and exceeded limits, are recorded in the result.
    func attempt(_ decode: any RowDecoder, tolerance: DamageTolerance) throws(RenderError) -> RenderAttempt {
        var attempt = RenderAttempt()
        let orientation = decode.orientation ?? head.orientation
        let isGrey = decode.channels < 3 || head.bitsPerChannel > 8
        let light = light(of: decode, isGrey: isGrey)
        let plans = try plans(for: decode, orientation: orientation, light: light) + hashPlans(for: decode)
        let bitmaps = Bitmap.filled(by: plans, orientation: orientation) { stores in
            let consumers = zip(plans, stores).map { plan, store in plan.makeConsumer(storingInto: store) }
            feed(SharedRows(consumers), from: decode, tolerance: tolerance, noting: &attempt)
        }
        attempt.reachedEnd = decode.reachedEnd
        if let failure = attempt.failure {
            guard quality == .fast, failure.isDamage else { return attempt }
        }
        let images = try bitmaps.map { bitmap throws(RenderError) in
            let converted =
                bitmap.format == .linearRGBA
                ? bitmap
                : try conversion.applied(
                    to: bitmap, profile: decode.profile, calibration: decode.calibration, isGrey: isGrey,
                    checking: guardian)
            return RenderedImage(
                bitmap: converted, source: decode.eighths == 8 ? .full : .reduced, eighths: decode.eighths,
                decoder: decode.name)
        }
        attempt.images = inRequestedRange(withThumbHash(images))
        return attempt
    }

    /// Passes the decoded rows to the consumer. At fast quality, the rows that could not be decoded because of damage
    /// are replaced by neutral grey.
    private func feed(
        _ consumer: any RowConsumer, from decode: any RowDecoder, tolerance: DamageTolerance,
        noting attempt: inout RenderAttempt
    ) {
        let rows = consumer.neededRows
        decode.narrow(to: consumer.neededColumns)
        var damage = DamageWatch(channels: decode.channels, width: decode.size.width)
        let (count, failure) = decode.forEachRow(in: rows) { row in
            if tolerance == .all { damage.look(at: row) }
            consumer.consume(row)
        }
        attempt.failure = failure
        attempt.endsGrey = damage.endsGrey
        attempt.decodedRowCount = tolerance == .all ? damage.rowCountBeforeGrey : count
        let whole = tolerance == .all ? damage.wholeRowCount : count
        attempt.decodedFraction = Double(rows.lowerBound + whole) / Double(decode.size.height)
        guard let failure, failure.isDamage, quality == .fast else { return }
        let grey = [UInt8](repeating: 128, count: decode.size.width * decode.channels * decode.bytesPerSample)
        grey.withUnsafeBufferPointer { for _ in count..<rows.count { consumer.consume($0.baseAddress!) } }
    }

    /// The conversion of the decoded samples to linear light. Nil if linear light is not requested, or if only libvips
    /// can convert the colours.
    func light(of decode: any RowDecoder, isGrey: Bool, bytesPerSample: Int? = nil) -> LightConversion? {
        guard isExtended else { return nil }
        return conversion.light(
            profile: decode.profile, calibration: decode.calibration, isGrey: isGrey,
            sampleBits: 8 * (bytesPerSample ?? decode.bytesPerSample))
    }

    /// Returns the images in the requested `pixelRange`: 8-bit sRGB or linear light. If linear light is requested,
    /// images in 8-bit sRGB are converted to it. libvips delivers such images if only libvips can convert the colours
    /// of the file.
    func inRequestedRange(_ images: [RenderedImage]) -> [RenderedImage] {
        guard isExtended else { return images }
        return images.map { image in
            var image = image
            image.bitmap = image.bitmap.inExtendedRange()
            return image
        }
    }

    /// The plans for resampling the decoded image to the outputs. They are computed from the true size of the decoded
    /// image, which may differ from the size in the file's header.
    ///
    /// - Parameters:
    ///   - light: the conversion of the samples to linear light; nil for outputs of 8-bit samples.
    ///   - bytesPerSample: the number of bytes of each sample that is resampled; by default (nil) as many as the
    ///     decoder states.
    func plans(
        for decode: any RowDecoder, orientation: ImageOrientation, light: LightConversion?, bytesPerSample: Int? = nil
    ) throws(RenderError) -> [ResamplingPlan] {
        let storedSize = decode.storedSize
        guard storedSize.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        let displaySize = orientation.displaySize(of: storedSize)
        var plans: [ResamplingPlan] = []
        for (options, predicted) in zip(options, geometries) {
            let geometry =
                displaySize == head.displaySize
                ? predicted : try RenditionGeometry(displaySize: displaySize, options: options, naturalEighths: [8])
            guard geometry.outputSize.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
            var plan = plan(for: decode, geometry, options, orientation: orientation, displaySize: displaySize)
            plan.light = light
            plan.bytesPerSample = bytesPerSample ?? decode.bytesPerSample
            plans.append(plan)
        }
        return plans
    }

    /// The plan for resampling the decoded image to the small image that a `ThumbHash` is made from; empty if no hash
    /// is requested.
    func hashPlans(for decode: any RowDecoder, bytesPerSample: Int? = nil) -> [ResamplingPlan] {
        guard makesThumbHash else { return [] }
        var plan = ResamplingPlan(forHashOf: decode.size, channels: decode.channels)
        plan.bytesPerSample = bytesPerSample ?? decode.bytesPerSample
        return [plan]
    }

    /// Sets the requested `ThumbHash` in the images. If a hash is requested, the last of `images` is a small image of
    /// the whole picture, made only for the hash (see `hashPlans`). It is removed from the result.
    func withThumbHash(_ images: [RenderedImage]) -> [RenderedImage] {
        guard makesThumbHash, let whole = images.last else { return images }
        let hash = ThumbHash(whole.bitmap, shape: head.displaySize)
        return images.dropLast().map { $0.with(hash) }
    }

    private func plan(
        for decode: any RowDecoder, _ geometry: RenditionGeometry, _ options: RenderOptions,
        orientation: ImageOrientation, displaySize: PixelSize
    ) -> ResamplingPlan {
        var plan = ResamplingPlan(
            decodedSize: decode.size, channels: decode.channels,
            box: SourceBox(x: 0, y: 0, width: Double(decode.size.width), height: Double(decode.size.height)),
            outputSize: decode.size, isLinear: options.isLinear, headroom: options.averagingHeadroom)
        // If the rendition is the decoded image itself (`isNatural`), the pixels are copied and not resampled. They
        // must be resampled all the same in two cases:
        // - The decode is shared with a larger rendition, so it is larger than this rendition needs.
        // - The decoder delivers another width or height than the image is shown with (`isStretched`).
        guard !geometry.isNatural || geometry.decodeEighths < decodeEighths || decode.isStretched else { return plan }
        let stored = (width: Double(decode.storedSize.width), height: Double(decode.storedSize.height))
        if let scale = decode.exactScale {
            plan.end = (stored.width * scale.horizontal, stored.height * scale.vertical)
        }
        plan.box = geometry.sourceBox
            .stored(
                under: orientation, displayWidth: Double(displaySize.width), displayHeight: Double(displaySize.height)
            )
            .scaled(
                horizontally: decode.exactScale?.horizontal ?? Double(decode.size.width) / stored.width,
                vertically: decode.exactScale?.vertical ?? Double(decode.size.height) / stored.height)
        plan.outputSize =
            geometry.isNatural
            ? decode.storedSize.scaled(toEighths: geometry.decodeEighths, decode.sideRounding)
            : orientation.displaySize(of: geometry.outputSize)
        return plan
    }
}
