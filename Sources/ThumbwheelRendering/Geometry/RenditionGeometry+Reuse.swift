import ThumbwheelCore

extension RenditionGeometry {
    /// The part of another rendering of the same image that this one can be resampled from, in that one's pixels; nil where
    /// that one does not show all of it, or too coarsely.
    ///
    /// - Parameter headroom: how many times this one's resolution is enough, each way. The image's own pixels always are: a
    ///   decode has no more.
    package func box(in other: RenditionGeometry, headroom: Double) -> SourceBox? {
        let own = pixelsPerSourcePixel
        let given = other.pixelsPerSourcePixel
        // Enlarged pixels are larger, not more.
        guard max(given.horizontal, given.vertical) <= 1 + Self.tolerance,
            given.horizontal >= min(1, headroom * own.horizontal) - Self.tolerance,
            given.vertical >= min(1, headroom * own.vertical) - Self.tolerance,
            other.sourceBox.contains(sourceBox)
        else { return nil }
        var box = sourceBox
        box.x -= other.sourceBox.x
        box.y -= other.sourceBox.y
        return box.scaled(horizontally: given.horizontal, vertically: given.vertical)
    }

    /// A lower bound of pixels: no rendition of fewer pixels has a `box` for this one.
    package func leastPixelCount(headroom: Double) -> Int {
        let own = pixelsPerSourcePixel
        let width = (min(1, headroom * own.horizontal) - Self.tolerance) * (sourceBox.width - 2 * SourceBox.slack)
        let height = (min(1, headroom * own.vertical) - Self.tolerance) * (sourceBox.height - 2 * SourceBox.slack)
        guard width > 0, height > 0 else { return 0 }
        return Int(min(width * height * (1 - Self.tolerance), 1e18))
    }

    /// Whether both show the same at the same size.
    package func isSamePicture(as other: RenditionGeometry) -> Bool {
        sourceBox == other.sourceBox && outputSize == other.outputSize
    }

    /// Of sums and quotients of a few numbers.
    private static let tolerance = 1e-9

    /// Output pixels for a pixel of the image, each way. In a decode that is delivered as it is the last pixels may be
    /// incomplete.
    private var pixelsPerSourcePixel: (horizontal: Double, vertical: Double) {
        guard !isNatural else { return (Double(decodeEighths) / 8, Double(decodeEighths) / 8) }
        return (Double(outputSize.width) / sourceBox.width, Double(outputSize.height) / sourceBox.height)
    }
}

extension SourceBox {
    fileprivate static let slack = 1e-3

    /// Whether all of `other` lies inside, to a thousandth of a pixel.
    fileprivate func contains(_ other: SourceBox) -> Bool {
        let slack = Self.slack
        return other.x >= x - slack && other.y >= y - slack && other.x + other.width <= x + width + slack
            && other.y + other.height <= y + height + slack
    }
}
