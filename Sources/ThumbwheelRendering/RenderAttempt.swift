import ThumbwheelCore
import ThumbwheelFormats

/// The outcome of one decode of a file.
struct RenderAttempt {
    /// One for each of the job's options; none where nothing could be opened, and at high quality where anything failed.
    var images: [RenderedImage] = []
    var failure: RenderError?
    /// Rows of the decode that were made, up to the last one that is not neutral grey all over.
    var decodedRowCount = 0
    /// How far down the image the last whole one of them lies.
    var decodedFraction = 0.0
    /// Whether the last row ends in neutral grey.
    var endsGrey = false
    /// Whether the decoder asked for bytes past the end of the file.
    var reachedEnd = false
}

extension RenderJob {
    /// Decodes and resamples once. Damage is part of the result; cancellation and limits are too.
    func attempt(_ decode: any RowDecoder, tolerance: DamageTolerance) throws(RenderError) -> RenderAttempt {
        var attempt = RenderAttempt()
        let orientation = decode.orientation ?? head.orientation
        let plans = try plans(for: decode, orientation: orientation) + hashPlans(for: decode)
        let bitmaps = Bitmap.filled(by: plans, orientation: orientation) { stores in
            let consumers = zip(plans, stores).map { plan, store in plan.makeConsumer(storingInto: store) }
            feed(SharedRows(consumers), from: decode, tolerance: tolerance, noting: &attempt)
        }
        attempt.reachedEnd = decode.reachedEnd
        guard attempt.failure == nil || quality == .fast else { return attempt }
        let images = try bitmaps.map { bitmap throws(RenderError) in
            let upright = try conversion.applied(
                to: bitmap, profile: decode.profile, calibration: decode.calibration,
                isGrey: decode.channels < 3 || head.bitsPerChannel > 8, checking: guardian)
            return RenderedImage(
                bitmap: upright, source: decode.eighths == 8 ? .full : .reduced, eighths: decode.eighths,
                decoder: decode.name)
        }
        attempt.images = withThumbHash(images)
        return attempt
    }

    /// Passes the decode's rows to the consumer, and neutral grey in place of those that could not be made.
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
        attempt.decodedRowCount = tolerance == .all ? damage.rowsBeforeGrey : count
        let whole = tolerance == .all ? damage.wholeRows : count
        attempt.decodedFraction = Double(rows.lowerBound + whole) / Double(decode.size.height)
        guard failure != nil, quality == .fast else { return }
        let grey = [UInt8](repeating: 128, count: decode.size.width * decode.channels)
        grey.withUnsafeBufferPointer { for _ in count..<rows.count { consumer.consume($0.baseAddress!) } }
    }

    /// The ways from the decode's pixels to the outputs, by the size that the decode really has.
    func plans(
        for decode: any RowDecoder, orientation: ImageOrientation
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
            plans.append(
                plan(for: decode, geometry, options, orientation: orientation, displaySize: displaySize))
        }
        return plans
    }

    /// The way to what a hash is made of, where one is made.
    func hashPlans(for decode: any RowDecoder) -> [ResamplingPlan] {
        makesThumbHash ? [ResamplingPlan(forHashOf: decode.size, channels: decode.channels)] : []
    }

    /// Makes the hash from the last image, removes that image, and gives the hash to the others.
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
            outputSize: decode.size, isLinear: options.isLinear, headroom: options.decodeHeadroom)
        // If the shared decode is larger than needed, a rendition that would have been the plain decode is reduced from
        // it.
        guard !geometry.isNatural || geometry.decodeEighths < decodeEighths else { return plan }
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
