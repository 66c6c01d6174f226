import ThumbwheelCore
import ThumbwheelFormats

extension ThumbHash {
    /// Above this the format's other implementations refuse a picture: more pixels cost time and change nothing.
    private static let mostPixels = 100

    /// The hash of a picture of any size; one of more than 100 pixels either way is reduced first.
    ///
    /// A part of a photograph, as what a `fill` request gets, is another picture, and has another hash.
    public init(_ bitmap: Bitmap) {
        self.init(bitmap, shape: bitmap.size)
    }

    /// - Parameter shape: the size of the picture that the bitmap shows; the bitmap may have another aspect.
    init(_ bitmap: Bitmap, shape: PixelSize) {
        let isSmall = max(bitmap.size.width, bitmap.size.height) <= Self.mostPixels
        self = HashAnalysis(isSmall ? bitmap : bitmap.means, shape: shape).hash
    }
}

extension Bitmap {
    /// Its blocks' means, few enough for a hash.
    fileprivate var means: Bitmap {
        let plan = ResamplingPlan(forHashOf: size, channels: format.bytesPerPixel)
        return Bitmap(size: plan.outputSize, format: format) { pixels in
            let consumer = plan.makeConsumer(
                storingInto: OrientedStore(pixels, storedSize: plan.outputSize, format: format, orientation: .up))
            withUnsafeBytes { rows in
                let start = rows.baseAddress!.assumingMemoryBound(to: UInt8.self)
                for row in consumer.neededRows { consumer.consume(start + row * bytesPerRow) }
            }
        }
    }
}
