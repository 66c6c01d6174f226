import ThumbwheelRendering

/// What an image consists of.
package enum ImageContents: Sendable {
    case pixels(Bitmap)
    /// Pixels in fewer bytes.
    case packed(any PackedPixels)
    /// A file that was asked for as such.
    case file(ImageData)
}
