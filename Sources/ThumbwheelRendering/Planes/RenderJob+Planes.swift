import ThumbwheelCore
import ThumbwheelFormats

extension RenderJob {
    /// Renders the job's images from the planes of a decoded image. Each plane is resampled from its own scale.
    func images(ofPlanes decode: any PlaneDecoder) throws(RenderError) -> [RenderedImage] {
        if let assistants { decode.share(with: assistants) }
        if makesThumbHash { decode.collectMeans() }
        let orientation = decode.orientation ?? head.orientation
        let isGrey = decode.channels < 3
        let light = light(of: decode, isGrey: isGrey, bytesPerSample: 2)
        let bytesPerSample = light == nil ? 1 : 2
        let plans =
            try plans(for: decode, orientation: orientation, light: light, bytesPerSample: bytesPerSample)
            + (decode.means == nil ? hashPlans(for: decode, bytesPerSample: bytesPerSample) : [])
        var end = DecodeEnd()
        let bitmaps = Bitmap.filled(by: plans, orientation: orientation) { stores in
            let consumers = decode.makeConsumers(for: plans, storingInto: stores)
            let planeCount = decode.scales.planes.count
            end = decode.forEachRow(
                to: consumers.count == 1 ? consumers[0] : SharedPlaneRows(consumers, planeCount: planeCount))
        }
        if let error = end.error {
            guard quality == .fast, end.decodedFraction > 0, error.isDamage else { throw error }
        }
        func upright(_ bitmap: Bitmap) throws(RenderError) -> Bitmap {
            if bitmap.format == .linearRGBA { return bitmap }
            return try conversion.applied(
                to: bitmap, profile: decode.profile, calibration: decode.calibration, isGrey: isGrey,
                checking: guardian)
        }
        let images = try bitmaps.map { bitmap throws(RenderError) in
            RenderedImage(
                bitmap: try upright(bitmap), source: decode.eighths == 8 ? .full : .reduced, eighths: decode.eighths,
                decoder: decode.name, isPartial: end.error != nil)
        }
        guard let means = decode.means else { return inRequestedRange(withThumbHash(images)) }
        guard means.isComplete else { return inRequestedRange(images) }
        let shape = orientation.displaySize(of: decode.storedSize)
        let hash = ThumbHash(try upright(means.bitmap(orientation: orientation)), shape: shape)
        return inRequestedRange(images).map { $0.with(hash) }
    }
}

extension PlaneDecoder {
    /// Returns the consumers to which the decoder must hand its rows. They resample the rows to one output image for
    /// each of `plans`.
    ///
    /// - Parameter stores: the memory of the output images, in the order of `plans`.
    func makeConsumers(
        for plans: [ResamplingPlan], storingInto stores: [OrientedStore]
    ) -> [any PlaneRowConsumer] {
        var consumers: [any PlaneRowConsumer] = []
        var pixelConsumers: [any RowConsumer] = []
        for (plan, store) in zip(plans, stores) {
            // Each plane is resampled by itself if possible. In these cases, the planes are joined to pixels before
            // resampling:
            // - The output is a copy of the decoded pixels, or consists of means of blocks.
            // - Blocks of pixels are averaged before resampling.
            // - The image is resampled in linear light, or the output is in linear light.
            // - `PlaneResampler` does not support the subsampling of chroma.
            if plan.bytesPerSample == 1, !plan.isCopy, !plan.isLinear, !plan.isOfMeans,
                BoxReduction(for: plan) == .none,
                let resampler = PlaneResampler(plan, scales: scales, colors: colors, store: store)
            {
                consumers.append(resampler)
            } else {
                pixelConsumers.append(plan.makeConsumer(storingInto: store))
            }
        }
        guard !pixelConsumers.isEmpty else { return consumers }
        let shared = SharedRows(pixelConsumers)
        // All plans of a job have the same number of bytes per sample, so the first plan decides the kind of
        // interleaver (the consumer that joins planes to pixels).
        let interleaver: any SampleRowConsumer =
            plans[0].bytesPerSample == 2
            ? WideInterleaver(
                channels: plans[0].channels, width: size.width, colors: colors, rows: shared.neededRows,
                columns: shared.neededColumns, body: shared.consume)
            : PixelInterleaver(
                channels: plans[0].channels, width: size.width, colors: colors, rows: shared.neededRows,
                columns: shared.neededColumns, body: shared.consume)
        return consumers + [PixelAssembler(scales, size: size, consumer: interleaver)]
    }
}
