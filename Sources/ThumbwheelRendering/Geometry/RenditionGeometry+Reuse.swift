import ThumbwheelCore

extension RenditionGeometry {
    /// Returns the region of `other` from which this rendition can be resampled, in pixels of `other`. Both renditions
    /// must show the same photograph.
    ///
    /// - Parameter headroom: the number of pixels that `other` needs for each pixel of this rendition, in each
    ///   direction. If `other` shows the photograph at full size, its pixels are enough whatever the headroom, because
    ///   no rendition has more detail.
    /// - Returns: nil if `other` lacks a part of this rendition's region, has too few pixels, or is enlarged.
    package func box(in other: RenditionGeometry, headroom: Double) -> SourceBox? {
        let own = pixelsPerSourcePixel
        let given = other.pixelsPerSourcePixel
        // An enlarged rendition is refused, because enlarging adds no detail.
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

    /// Returns the smallest number of pixels that another rendition must have so that this one can be resampled from
    /// it. For any rendition with fewer pixels, `box(in:headroom:)` returns nil.
    package func minimumPixelCount(headroom: Double) -> Int {
        let own = pixelsPerSourcePixel
        let width = (min(1, headroom * own.horizontal) - Self.tolerance) * (sourceBox.width - 2 * SourceBox.slack)
        let height = (min(1, headroom * own.vertical) - Self.tolerance) * (sourceBox.height - 2 * SourceBox.slack)
        guard width > 0, height > 0 else { return 0 }
        return Int(min(width * height * (1 - Self.tolerance), 1e18))
    }

    /// Whether both renditions show the same region of the photograph at the same size, so that one can be delivered in
    /// place of the other.
    package func isSamePicture(as other: RenditionGeometry) -> Bool {
        sourceBox == other.sourceBox && outputSize == other.outputSize
    }

    /// Two scales count as equal if they differ by less than this number, because of rounding errors.
    private static let tolerance = 1e-9

    /// The number of output pixels for each pixel of the photograph, in each direction. Usually it is the size of the
    /// output divided by the size of the shown region. For a rendition that is delivered as decoded, it is the scale of
    /// the decode. The last column and row of such a rendition may be incomplete pixels, which would make the quotient
    /// wrong.
    private var pixelsPerSourcePixel: (horizontal: Double, vertical: Double) {
        guard !isNatural else { return (Double(decodeEighths) / 8, Double(decodeEighths) / 8) }
        return (Double(outputSize.width) / sourceBox.width, Double(outputSize.height) / sourceBox.height)
    }
}

extension SourceBox {
    fileprivate static let slack = 1e-3

    /// Whether all of `other` lies inside this box, to within a thousandth of a pixel.
    fileprivate func contains(_ other: SourceBox) -> Bool {
        let slack = Self.slack
        return other.x >= x - slack && other.y >= y - slack && other.x + other.width <= x + width + slack
            && other.y + other.height <= y + height + slack
    }
}
