import ThumbwheelCore

/// Describes an output: which region of a decode it shows, at which size, and how it is resampled.
struct ResamplingPlan {
    /// The size of the decode in pixels, in stored orientation.
    var decodedSize: PixelSize
    /// The number of bytes in a pixel of the decode: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha.
    var channels: Int
    /// The region shown, in pixels of the decode, in stored orientation.
    var box: SourceBox
    /// The size of the output in pixels, in stored orientation.
    var outputSize: PixelSize
    var isLinear: Bool
    /// The number of decoded pixels per output pixel that a box reduction must leave for the kernel.
    var headroom: Double = 2
    /// Whether the output consists of plain means of blocks, as `init(forHashOf:channels:)` plans it.
    var isOfMeans = false
    /// The right and lower ends of the picture, in pixels of the decode; nil if the last pixels are complete.
    var end: (x: Double, y: Double)?

    var format: Bitmap.PixelFormat { channels == 2 || channels == 4 ? .rgba : .rgb }

    /// Whether the output is an exact part of the decode, pixel by pixel.
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
