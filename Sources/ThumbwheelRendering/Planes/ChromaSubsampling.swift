import ThumbwheelCore

/// The number of luma samples that share one chroma sample: one, two or four across, and one or two down.
struct ChromaSubsampling {
    let horizontal: Int
    let vertical: Int

    /// Describes the subsampling of three planes: luma and two planes of chroma.
    ///
    /// - Returns: nil if there are not three planes, if the two planes of chroma differ in size, or if a chroma sample
    ///   does not cover one, two or four luma samples across, or one or two down.
    init?(_ scales: PlaneScales) {
        guard scales.planes.count == 3 else { return nil }
        let (luma, chroma) = (scales.planes[0], scales.planes[1])
        let other = scales.planes[2]
        guard chroma.size == other.size, chroma.horizontalRatio == other.horizontalRatio,
            chroma.verticalRatio == other.verticalRatio,
            let horizontal = [1, 2, 4].first(where: { luma.horizontalRatio == Double($0) * chroma.horizontalRatio }),
            let vertical = [1, 2].first(where: { luma.verticalRatio == Double($0) * chroma.verticalRatio }),
            // Checks that the chroma planes are large enough for the whole luma plane. If luma itself is subsampled,
            // rounding may leave them too small.
            luma.size.width <= chroma.size.width * horizontal, luma.size.height <= chroma.size.height * vertical
        else { return nil }
        (self.horizontal, self.vertical) = (horizontal, vertical)
    }

    /// Widens ranges of rows or columns, one range for each plane, until all of them cover the same part of the image.
    /// The ranges are widened as little as possible.
    ///
    /// - Parameter factor: the number of luma samples for each chroma sample along this axis.
    func aligned(_ ranges: [Range<Int>], by factor: Int) -> [Range<Int>] {
        let luma = ranges[0].lowerBound / factor..<(ranges[0].upperBound + factor - 1) / factor
        let chroma =
            min(
                luma.lowerBound, ranges[1].lowerBound, ranges[2].lowerBound)..<max(
                luma.upperBound, ranges[1].upperBound, ranges[2].upperBound)
        return [chroma.lowerBound * factor..<chroma.upperBound * factor, chroma, chroma]
    }
}
