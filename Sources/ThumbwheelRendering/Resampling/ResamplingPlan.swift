import ThumbwheelCore

/// What is to be done with a decode's rows.
struct ResamplingPlan {
    /// The decode's size.
    var decodedSize: PixelSize
    /// Bytes a pixel of the decode: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha.
    var channels: Int
    /// The region shown, in pixels of the decode, in stored orientation.
    var box: SourceBox
    /// In stored orientation.
    var outputSize: PixelSize
    var isLinear: Bool
    /// Decoded pixels per output pixel that a box reduction must leave for the kernel.
    var headroom: Double = 2
    /// Whether the output is no more than the means of blocks: `init(forHashOf:channels:)`.
    var isOfMeans = false
    /// Where the picture ends, in pixels of the decode; nil if its last pixels are complete.
    var end: (x: Double, y: Double)?

    var format: Bitmap.PixelFormat { channels == 2 || channels == 4 ? .rgba : .rgb }

    /// Whether the output is a part of the decode, pixel by pixel.
    var isCopy: Bool {
        box.width == Double(outputSize.width) && box.height == Double(outputSize.height)
            && box.x == box.x.rounded() && box.y == box.y.rounded() && box.x >= 0 && box.y >= 0
            && box.x + box.width <= Double(decodedSize.width) && box.y + box.height <= Double(decodedSize.height)
    }

    func makeConsumer(storingInto store: OrientedStore) -> any RowConsumer {
        if isOfMeans { return PictureAverager(self, store: store) }
        if isCopy { return RowCopier(self, store: store) }
        if isLinear { return FloatResampler(self, store: store) }
        return FixedPointResampler(self, store: store)
    }
}
