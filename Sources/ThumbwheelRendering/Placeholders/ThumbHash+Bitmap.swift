import ThumbwheelCore
import ThumbwheelFormats

extension ThumbHash {
    /// The longest side, in pixels, of a picture from which a hash is made without reducing the picture first. Other
    /// implementations of ThumbHash refuse larger pictures. More pixels would take time and change nothing.
    private static let sideLimit = 100

    /// Makes the hash of a picture of any size. A picture with more than 100 pixels in either direction is reduced
    /// first.
    ///
    /// The hash describes the picture in the bitmap. For the hash of a whole photograph, the bitmap must show the whole
    /// photograph, and not be cropped to fill its target size.
    public init(_ bitmap: Bitmap) {
        self.init(bitmap, shape: bitmap.size)
    }

    /// - Parameter shape: the size of the picture that the bitmap shows; the bitmap may have another aspect ratio.
    init(_ bitmap: Bitmap, shape: PixelSize) {
        let bitmap = bitmap.inStandardRange()
        let isSmall = max(bitmap.size.width, bitmap.size.height) <= Self.sideLimit
        self = HashAnalysis(isSmall ? bitmap : bitmap.means, shape: shape).hash
    }
}

extension Bitmap {
    /// The bitmap reduced, by averaging blocks of pixels, to as few pixels as a hash needs.
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
