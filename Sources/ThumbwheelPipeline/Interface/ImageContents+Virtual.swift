import ThumbwheelCore
import ThumbwheelRendering

/// Contents for runs on a virtual clock, which move sizes and times and no pixels.
extension ImageContents {
    /// One pixel that stands for all. It is a bitmap of its own, so that it can tell whether receivers hold it.
    package static func onePixel() -> ImageContents {
        .pixels(Bitmap(size: PixelSize(width: 1, height: 1), format: .rgb) { _ in })
    }

    /// Packed pixels that stand for any.
    package static let blankPacked: ImageContents = {
        let blank = Bitmap(size: PixelSize(width: 64, height: 64), format: .rgb) { _ in }
        guard let packed = PackedBitmap(blank) else { preconditionFailure("a blank bitmap does not get smaller") }
        return .packed(packed)
    }()
}
