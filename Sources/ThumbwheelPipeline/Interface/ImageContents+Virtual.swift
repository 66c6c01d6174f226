import ThumbwheelCore
import ThumbwheelRendering

/// Contents for runs on a virtual clock, which deal with sizes and times but not with pixels.
extension ImageContents {
    /// Contents of one pixel, which stands for all pixels of an image. Each call makes a bitmap of its own, because the
    /// pipeline checks for each bitmap whether receivers hold it.
    package static func onePixel() -> ImageContents {
        .pixels(Bitmap(size: PixelSize(width: 1, height: 1), format: .rgb) { _ in })
    }

    /// The packed pixels of a blank bitmap. Simulated runs use them in place of the packed pixels of any image.
    package static let blankPacked: ImageContents = {
        let blank = Bitmap(size: PixelSize(width: 64, height: 64), format: .rgb) { _ in }
        guard let packed = PackedBitmap(blank) else { preconditionFailure("a blank bitmap does not get smaller") }
        return .packed(packed)
    }()
}
