import ThumbwheelCore

extension PlaneScales {
    /// Chooses scales at which no component is finer than the image. Subsampled components become as little coarser as
    /// blocks of up to 8×8 samples allow.
    ///
    /// - Parameter hasCoarseChroma: whether chroma may be half as fine as luma if the file stores it so. That is enough for
    ///   an image that is reduced to half the size of the decode.
    init(_ frame: JPEGFrame, eighths: Int, hasCoarseChroma: Bool = false) {
        precondition((1...8).contains(eighths))
        let planes = frame.components.enumerated().map { index, component in
            let horizontal = Double(component.horizontal) / Double(frame.maximumHorizontal)
            let vertical = Double(component.vertical) / Double(frame.maximumVertical)
            let finest = min(8, Int(Double(eighths) / max(horizontal, vertical)))
            // Scales are whole multiples of the image's, so that the samples of one plane lie over those of another.
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
