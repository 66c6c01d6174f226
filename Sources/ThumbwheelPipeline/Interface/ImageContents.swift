import ThumbwheelRendering

/// What an image consists of.
package enum ImageContents: Sendable {
    case pixels(Bitmap)
    /// Pixels in fewer bytes.
    case packed(PackedBitmap)
    /// A file that was asked for as such.
    case file(ImageData)
}
