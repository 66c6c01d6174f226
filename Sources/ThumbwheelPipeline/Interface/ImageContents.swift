import ThumbwheelRendering

/// The contents of an image: pixels, packed pixels or a file.
package enum ImageContents: Sendable {
    case pixels(Bitmap)
    /// Pixels that are losslessly packed into fewer bytes.
    case packed(any PackedPixels)
    /// A file, for a request that asked for a file and not for pixels.
    case file(ImageData)
}
