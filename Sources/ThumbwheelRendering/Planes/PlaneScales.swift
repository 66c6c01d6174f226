import ThumbwheelCore

/// The planes that an image is decoded to, each at its own scale.
struct PlaneScales {
    /// Samples of a component at its scale.
    struct Plane: Equatable {
        /// The scale of the component's blocks, in eighths.
        let scale: Int
        /// Samples that belong to the image; incomplete ones at the right and lower edge included.
        let size: PixelSize
        /// Samples for one pixel of the full-size image.
        let horizontalRatio: Double
        let verticalRatio: Double
        /// The rows that come together, before the next plane's.
        let unitHeight: Int
    }

    /// The image's scale in eighths.
    let eighths: Int
    /// Pixels of the decode for a pixel of the full-size image.
    let pixelRatio: Double
    let planes: [Plane]
}
