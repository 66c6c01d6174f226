import ThumbwheelCore
import ThumbwheelFormats

extension ImageHead {
    /// Whether this library's own decoder takes the image, as far as the head tells.
    var isForOwnJPEGDecoder: Bool {
        guard contentType == .jpeg, let jpeg, !jpeg.isArithmetic, bitsPerChannel == 8 else { return false }
        let isCovered: Bool =
            switch jpeg.process {
            case .baseline, .extendedSequential, .progressive: true
            case .lossless, .hierarchical: false
            }
        let count = jpeg.samplingFactors.count
        return isCovered && (count == 1 || count == 3) && !(profile?.isOfInks ?? false)
    }
}

extension RenditionGeometry {
    /// The scales that the decoder for an image offers, in eighths, in increasing order.
    static func naturalEighths(for head: ImageHead) -> [Int] {
        head.isForOwnJPEGDecoder ? Array(1...8) : naturalEighths(for: head.contentType)
    }

    /// Output pixels per source pixel, also of a decode as it is.
    fileprivate var shownScale: Double { isNatural ? Double(decodeEighths) / 8 : scale }
}

extension RenderJob {
    /// Renders by this library's own decoder; nil where that turns out not to cover the file.
    func runOwnJPEG() throws(RenderError) -> [RenderedImage]? {
        guard
            let decode = try JPEGDecode(
                bytes, eighths: decodeEighths, shownScale: geometries.map(\.shownScale).max()!,
                keepsProfile: conversion == .output, guardian: guardian)
        else { return nil }
        decode.readsRefinements = quality == .high
        decode.sharing = assistants.map { SequentialScan.Sharing(assistants: $0) }
        let rows = JPEGRows(decode)
        if makesThumbHash { decode.means = BlockMeans(decode.header) }
        let plans =
            try plans(for: rows, orientation: head.orientation) + (decode.means == nil ? hashPlans(for: rows) : [])
        var end = JPEGDecode.End()
        let bitmaps = Bitmap.filled(by: plans, orientation: head.orientation) { stores in
            let consumers = zip(plans, stores).map { decode.makeConsumer(for: $0, storingInto: $1) }
            let planeCount = decode.scales.planes.count
            end = decode.forEachRow(
                to: consumers.count == 1 ? consumers[0] : SharedPlaneRows(consumers, planeCount: planeCount))
        }
        if let error = end.error {
            guard quality == .fast, end.decodedFraction > 0, error.isDamage else { throw error }
        }
        func upright(_ bitmap: Bitmap) throws(RenderError) -> Bitmap {
            try conversion.applied(
                to: bitmap, profile: decode.header.profile, isGrey: rows.channels < 3, checking: guardian)
        }
        let images = try bitmaps.map { bitmap throws(RenderError) in
            RenderedImage(
                bitmap: try upright(bitmap), source: rows.eighths == 8 ? .full : .reduced, eighths: rows.eighths,
                decoder: .jpeg,
                isPartial: end.error != nil)
        }
        guard let means = decode.means else { return withThumbHash(images) }
        guard means.isComplete else { return images }
        let hash = ThumbHash(try upright(means.bitmap(orientation: head.orientation)))
        return images.map { $0.with(hash) }
    }
}

extension RenderError {
    /// Whether the file is at fault, and what was decoded of it stands.
    fileprivate var isDamage: Bool {
        switch self {
        case .truncated, .malformed: true
        default: false
        }
    }
}

extension JPEGDecode {
    /// What makes a plan's output of the rows.
    fileprivate func makeConsumer(
        for plan: ResamplingPlan, storingInto store: OrientedStore
    ) -> any PlaneRowConsumer {
        // What is only copied, averaged first or resampled in linear light wants interleaved pixels.
        if !plan.isCopy, !plan.isLinear, !plan.isOfMeans, BoxReducer.reduction(for: plan) == 1,
            let resampler = PlaneResampler(plan, scales: scales, isRGB: header.isRGB, store: store)
        {
            return resampler
        }
        let consumer = plan.makeConsumer(storingInto: store)
        return PixelAssembler(
            scales, size: size,
            consumer: PixelInterleaver(
                channels: plan.channels, width: size.width, isRGB: header.isRGB, rows: consumer.neededRows,
                body: consumer.consume))
    }
}
