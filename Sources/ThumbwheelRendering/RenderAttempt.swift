import ThumbwheelCore
import ThumbwheelFormats

/// What one decode of a file came to.
struct RenderAttempt {
    /// Nil where nothing could be opened, and at high quality where anything failed.
    var image: RenderedImage?
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
    func attempt(tolerance: VipsLoader.Tolerance) throws(RenderError) -> RenderAttempt {
        var attempt = RenderAttempt()
        let decode: any RowDecoder
        do throws(RenderError) {
            decode = try openDecoder(tolerance: tolerance)
        } catch {
            attempt.failure = error
            return attempt
        }
        let orientation = loader?.appliesOrientation == true ? .up : head.orientation
        let plan = try plan(for: decode, orientation: orientation)
        let bitmap = Bitmap(size: orientation.displaySize(of: plan.outputSize), format: plan.format) { pixels in
            let store = OrientedStore(
                pixels, storedSize: plan.outputSize, format: plan.format, orientation: orientation)
            feed(plan.makeConsumer(storingInto: store), from: decode, tolerance: tolerance, noting: &attempt)
        }
        attempt.reachedEnd = decode.reachedEnd
        guard attempt.failure == nil || options.quality == .fast else { return attempt }
        let upright = try conversion.applied(
            to: bitmap, profile: decode.profile, isGrey: decode.channels < 3 || head.bitsPerChannel > 8,
            checking: guardian)
        attempt.image = RenderedImage(
            bitmap: upright, source: decode.eighths == 8 ? .full : .reduced, eighths: decode.eighths,
            decoder: decode.name)
        return attempt
    }

    func openDecoder(tolerance: VipsLoader.Tolerance) throws(RenderError) -> any RowDecoder {
        switch head.contentType {
        case .bmp:
            return try BMPDecode(bytes, limits: limits, guardian: guardian)
        case .webp where head.isForIncrementalWebPDecoder:
            return try WebPDecode(
                bytes, eighths: geometry.decodeEighths, keepsProfile: conversion == .output, limits: limits,
                guardian: guardian)
        default:
            return try VipsDecode(
                bytes, type: head.contentType, eighths: geometry.decodeEighths, tolerance: tolerance,
                convertsProfile: conversion == .stream, guardian: guardian)
        }
    }

    /// Passes the decode's rows to the consumer, and neutral grey in place of those that could not be made.
    private func feed(
        _ consumer: any RowConsumer, from decode: any RowDecoder, tolerance: VipsLoader.Tolerance,
        noting attempt: inout RenderAttempt
    ) {
        let rows = consumer.neededRows
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
        guard failure != nil, options.quality == .fast else { return }
        let grey = [UInt8](repeating: 128, count: decode.size.width * decode.channels)
        grey.withUnsafeBufferPointer { for _ in count..<rows.count { consumer.consume($0.baseAddress!) } }
    }

    /// The way from the decode's pixels to the output, by the size that the decode really has.
    func plan(
        for decode: any RowDecoder, orientation: ImageOrientation
    ) throws(RenderError) -> ResamplingPlan {
        let storedSize = decode.storedSize
        guard storedSize.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        let displaySize = orientation.displaySize(of: storedSize)
        let geometry =
            displaySize == head.displaySize
            ? geometry : try RenditionGeometry(displaySize: displaySize, options: options, naturalEighths: [8])
        var plan = ResamplingPlan(
            decodedSize: decode.size, channels: decode.channels,
            box: SourceBox(x: 0, y: 0, width: Double(decode.size.width), height: Double(decode.size.height)),
            outputSize: decode.size, isLinear: options.isLinear, headroom: options.sampling == .best ? 3.5 : 2)
        guard !geometry.isNatural else { return plan }
        guard geometry.outputSize.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        // libjpeg's pixels are exact eighths, with a last one that is incomplete; libwebp stretches to whole pixels.
        let eighths = Double(decode.eighths) / 8
        let isExact = loader == .jpeg
        plan.box = geometry.sourceBox
            .stored(
                under: orientation, displayWidth: Double(displaySize.width), displayHeight: Double(displaySize.height)
            )
            .scaled(
                horizontally: isExact ? eighths : Double(decode.size.width) / Double(storedSize.width),
                vertically: isExact ? eighths : Double(decode.size.height) / Double(storedSize.height))
        plan.outputSize = orientation.displaySize(of: geometry.outputSize)
        return plan
    }
}
