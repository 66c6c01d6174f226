import ThumbwheelCore

/// The rule for how many layers of a picture are decoded. Each layer is a version of the picture that improves on the
/// layer below it. Decoding ends at the first layer that is good enough; higher layers are not even read.
struct LayerChoice: Sendable {
    /// The least width and height of a layer that is enough for the requested images, as a fraction of the picture's
    /// width and height. The default, infinity, means that no layer is enough and all layers are decoded.
    var minimumScale = Double.infinity
    /// Whether the requested images may be made from a layer with the picture's full size but less detail than the
    /// picture.
    var allowsCoarseLayers = false

    /// Whether a layer has enough pixels and detail for the requested images.
    ///
    /// - Parameters:
    ///   - size: the size of the layer.
    ///   - canvas: the size of the whole picture.
    func isEnough(_ size: PixelSize, of canvas: PixelSize) -> Bool {
        let scale = min(
            Double(size.width) / Double(canvas.width), Double(size.height) / Double(canvas.height))
        return scale >= minimumScale && (scale < 1 || allowsCoarseLayers)
    }
}
