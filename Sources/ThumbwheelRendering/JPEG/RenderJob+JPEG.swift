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
}

extension RenderJob {
    /// Of all that is reduced to half of the decode and less, which is not so where a decode is delivered as it is.
    private var hasCoarseChroma: Bool { quality == .high && !geometries.contains(where: \.isNatural) }

    /// Renders by this library's own decoder; nil where that turns out not to cover the file.
    func runOwnJPEG() throws(RenderError) -> [RenderedImage]? {
        guard
            let decode = try JPEGDecode(
                bytes, eighths: decodeEighths, hasCoarseChroma: hasCoarseChroma, keepsProfile: conversion == .output,
                guardian: guardian)
        else { return nil }
        decode.readsRefinements = quality == .high
        decode.sharing = assistants.map { SequentialScan.Sharing(assistants: $0) }
        let rows = JPEGRows(decode)
        if makesThumbHash { decode.means = BlockMeans(decode.header) }
        let plans =
            try plans(for: rows, orientation: head.orientation) + (decode.means == nil ? hashPlans(for: rows) : [])
        var end = JPEGDecode.End()
        let bitmaps = Bitmap.filled(by: plans, orientation: head.orientation) { stores in
            let consumers = decode.makeConsumers(for: plans, storingInto: stores)
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
        let shape = head.orientation.displaySize(of: decode.header.frame.size)
        let hash = ThumbHash(try upright(means.bitmap(orientation: head.orientation)), shape: shape)
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
    /// What makes the plans' outputs.
    func makeConsumers(
        for plans: [ResamplingPlan], storingInto stores: [OrientedStore]
    ) -> [any PlaneRowConsumer] {
        var consumers: [any PlaneRowConsumer] = []
        var pixelConsumers: [any RowConsumer] = []
        for (plan, store) in zip(plans, stores) {
            // What is only copied, averaged first or resampled in linear light wants interleaved pixels.
            if !plan.isCopy, !plan.isLinear, !plan.isOfMeans, BoxReduction(for: plan) == .none,
                let resampler = PlaneResampler(plan, scales: scales, isRGB: header.isRGB, store: store)
            {
                consumers.append(resampler)
            } else {
                pixelConsumers.append(plan.makeConsumer(storingInto: store))
            }
        }
        guard !pixelConsumers.isEmpty else { return consumers }
        let shared = SharedRows(pixelConsumers)
        let interleaver = PixelInterleaver(
            channels: plans[0].channels, width: size.width, isRGB: header.isRGB, rows: shared.neededRows,
            body: shared.consume)
        return consumers + [PixelAssembler(scales, size: size, consumer: interleaver)]
    }
}
