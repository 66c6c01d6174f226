import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

/// Image contents for simulated runs on a virtual clock. Such runs deal with sizes and times, but not with pixels.
extension ImageContents {
    /// A bitmap of one pixel. In simulated runs, it takes the place of the pixels of every rendered image. Each call
    /// makes a bitmap of its own, because the pipeline checks for each bitmap whether receivers hold it.
    package static func onePixel() -> ImageContents {
        .pixels(Bitmap(size: PixelSize(width: 1, height: 1), format: .rgb) { _ in })
    }

    /// A file without bytes. In simulated runs, it takes the place of every encoded image file.
    package static func noBytes(_ size: PixelSize) -> ImageContents {
        .file(
            ImageData(
                bytes: [], contentType: .jpeg, orientation: .up, pixelSize: size, entityTag: EntityTag(hashing: [])))
    }

    /// A blank bitmap in packed form, that is, compressed without loss. In simulated runs, it takes the place of every
    /// image that is packed.
    package static let blankPacked: ImageContents = {
        let blank = Bitmap(size: PixelSize(width: 64, height: 64), format: .rgb) { _ in }
        guard let packed = PackedBitmap(blank) else { preconditionFailure("a blank bitmap does not get smaller") }
        return .packed(packed)
    }()
}
