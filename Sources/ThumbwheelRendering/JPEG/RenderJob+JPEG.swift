import ThumbwheelCore
import ThumbwheelFormats

extension RenderJob {
    /// Resamples a JPEG's planes, each from its own scale, and joins their results.
    func images(ofPlanes rows: JPEGRows) throws(RenderError) -> [RenderedImage] {
        let decode = rows.decode
        decode.sharing = assistants.map { SingleScanReader.Sharing(assistants: $0) }
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
