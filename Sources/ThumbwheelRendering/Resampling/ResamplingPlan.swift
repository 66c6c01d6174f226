import ThumbwheelCore

/// Describes how an output image is made from a decoded image: from which region, at which size, and with which kind of
/// resampling.
struct ResamplingPlan {
    /// The size of the decoded image in pixels, in stored orientation.
    var decodedSize: PixelSize
    /// The number of samples in a pixel of the decoded image: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha.
    var channels: Int
    /// The region of the decoded image that the output shows, in pixels of the decoded image, in stored orientation.
    var box: SourceBox
    /// The size of the output in pixels, before it is turned upright.
    var outputSize: PixelSize
    var isLinear: Bool
    /// The least number of averages for each output pixel, in each direction. Before a large reduction, blocks of
    /// decoded pixels are averaged, and the averages are then resampled; this number limits the size of the blocks. It
    /// has no effect if no blocks are averaged.
    var headroom: Double = 2
    /// Whether the output consists of plain means of blocks, as in plans made by `init(forHashOf:channels:)`.
    var isOfMeans = false
    /// The right end (`x`) and the lower end (`y`) of the picture, in pixels of the decoded image. An end may lie
    /// inside the last column or row. Nil if the picture ends where the last column and the last row end.
    var end: (x: Double, y: Double)?
    /// The number of bytes in a decoded sample: 1, or 2 if the decoder hands over all bits.
    var bytesPerSample = 1
    /// The conversion of the samples to linear light, if the output is in linear light; nil for an output of 8-bit
    /// samples.
    var light: LightConversion?

    var format: Bitmap.PixelFormat {
        if light != nil { return .linearRGBA }
        return channels == 2 || channels == 4 ? .rgba : .rgb
    }

    /// Whether the output is an exact copy of a part of the decoded image, pixel by pixel.
    var isCopy: Bool {
        box.width == Double(outputSize.width) && box.height == Double(outputSize.height)
            && box.x == box.x.rounded() && box.y == box.y.rounded() && box.x >= 0 && box.y >= 0
            && box.x + box.width <= Double(decodedSize.width) && box.y + box.height <= Double(decodedSize.height)
    }

    func makeConsumer(storingInto store: OrientedStore) -> any RowConsumer {
        if let light {
            let pixels = LightPixels(
                samples: bytesPerSample == 2 ? .words : .bytes, channels: channels, light: light, isLinear: isLinear)
            if isCopy { return LightCopier(self, pixels, store: store) }
            return LightResampler(self, pixels, store: store)
        }
        if bytesPerSample == 2 {
            var plan = self
            plan.bytesPerSample = 1
            return NarrowedRows(plan.makeConsumer(storingInto: store), sampleCount: decodedSize.width * channels)
        }
        if isOfMeans { return PictureAverager(self, store: store) }
        if isCopy { return RowCopier(self, store: store) }
        if isLinear { return FloatResampler(self, store: store) }
        return FixedPointResampler(self, store: store)
    }

    /// Returns a consumer that takes rows in the format `linearRGBA`, and makes an output in the same format.
    func makeConsumer(ofLightStoringInto store: OrientedStore) -> any RowConsumer {
        let pixels = LightPixels(samples: .halves, channels: 4, light: nil, isLinear: isLinear)
        if isCopy { return LightCopier(self, pixels, store: store) }
        return LightResampler(self, pixels, store: store)
    }
}
