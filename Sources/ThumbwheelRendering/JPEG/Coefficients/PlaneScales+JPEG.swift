import ThumbwheelCore

extension PlaneScales {
    /// Chooses a scale for each component: the number of samples, in each direction, that are made from a block. A
    /// subsampled component may get a larger scale than the image, so that its resolution comes nearer to the image's.
    /// No component gets a higher resolution than the image.
    ///
    /// - Parameters:
    ///   - eighths: the image's scale in eighths of full size.
    ///   - hasCoarseChroma: whether chroma may keep a lower resolution than luma. If so, chroma planes that have at
    ///     least half of luma's samples in each direction get the image's scale, as luma does. Their resolution then
    ///     stays as far below luma's as in the file. That is enough for an image that is later reduced to half the size
    ///     of the decode.
    init(_ frame: JPEGFrame, eighths: Int, hasCoarseChroma: Bool = false) {
        precondition((1...8).contains(eighths))
        let planes = frame.components.enumerated().map { index, component in
            let horizontal = Double(component.horizontal) / Double(frame.maximumHorizontal)
            let vertical = Double(component.vertical) / Double(frame.maximumVertical)
            let finest = min(8, Int(Double(eighths) / max(horizontal, vertical)))
            // `finest` is the largest scale at which the component's resolution does not exceed the image's. Chroma
            // that may stay coarse gets the image's scale. Every other component gets 4, 2 or 1 times the image's
            // scale: the largest of these scales that is at most `finest`. With the usual sampling factors, a sample of
            // one plane then covers a whole number of samples of another plane.
            let isCoarse = hasCoarseChroma && index > 0 && min(horizontal, vertical) >= 0.5
            let scale = isCoarse ? eighths : [4, 2, 1].map { $0 * eighths }.first { $0 <= finest } ?? eighths
            return Plane(
                scale: scale,
                size: PixelSize(
                    width: (component.size.width * scale + 7) / 8, height: (component.size.height * scale + 7) / 8),
                horizontalRatio: horizontal * Double(scale) / 8, verticalRatio: vertical * Double(scale) / 8,
                unitHeight: component.vertical * scale)
        }
        self.init(eighths: eighths, pixelRatio: Double(eighths) / 8, planes: planes)
    }
}
