import ThumbwheelCore

/// Describes the planes that an image is decoded to, one plane for each colour component, each at its own scale.
struct PlaneScales {
    /// The plane of one colour component, at its own scale.
    struct Plane: Equatable {
        /// The scale of the component's blocks, in eighths of full size.
        let scale: Int
        /// The number of samples, across and down, that belong to the image. Samples that lie partly outside the image,
        /// at the right and lower edges, count too.
        let size: PixelSize
        /// The number of the plane's samples for one pixel of the full-size image, along the horizontal axis.
        let horizontalRatio: Double
        /// The number of the plane's samples for one pixel of the full-size image, along the vertical axis.
        let verticalRatio: Double
        /// The number of the plane's rows in one row of the decoder's units, such as JPEG's minimum coded units. The
        /// decoder hands over one row of units, with the rows of all planes, before it begins the next row of units.
        let unitHeight: Int
    }

    /// The image's scale in eighths of full size.
    let eighths: Int
    /// The number of pixels of the decoded image for one pixel of the full-size image, along each axis.
    let pixelRatio: Double
    let planes: [Plane]
}
