import ThumbwheelCore

/// Decides which layer of a picture is decoded last. Layers above that one are neither read nor decoded.
struct LayerChoice: Sendable {
    /// The smallest size of a layer that is enough, as a fraction of the picture's size. By default no layer but the last
    /// is enough.
    var leastScale = Double.infinity
    /// Whether a lower layer of the full size is enough. Such a layer is coarser than the picture.
    var allowsCoarseLayers = false

    /// Whether a layer of a size is enough for a picture of the size `canvas`.
    func isEnough(_ size: PixelSize, of canvas: PixelSize) -> Bool {
        let scale = min(
            Double(size.width) / Double(canvas.width), Double(size.height) / Double(canvas.height))
        return scale >= leastScale && (scale < 1 || allowsCoarseLayers)
    }
}
