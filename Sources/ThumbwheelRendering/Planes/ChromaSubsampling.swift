import ThumbwheelCore

/// How many samples of luma, one or two in each direction, lie over one of chroma.
struct ChromaSubsampling {
    let horizontal: Int
    let vertical: Int

    /// - Returns: nil for what lies over each other otherwise, as in 4:1:1.
    init?(_ scales: PlaneScales) {
        guard scales.planes.count == 3 else { return nil }
        let (luma, chroma) = (scales.planes[0], scales.planes[1])
        let other = scales.planes[2]
        guard chroma.size == other.size, chroma.horizontalRatio == other.horizontalRatio,
            chroma.verticalRatio == other.verticalRatio,
            let horizontal = [1, 2].first(where: { luma.horizontalRatio == Double($0) * chroma.horizontalRatio }),
            let vertical = [1, 2].first(where: { luma.verticalRatio == Double($0) * chroma.verticalRatio }),
            // Where luma itself is subsampled, its size may be rounded up further.
            luma.size.width <= chroma.size.width * horizontal, luma.size.height <= chroma.size.height * vertical
        else { return nil }
        (self.horizontal, self.vertical) = (horizontal, vertical)
    }

    /// The smallest ranges of each plane that hold the given ones and lie over each other.
    ///
    /// - Parameter factor: how many of luma make one of chroma.
    func aligned(_ ranges: [Range<Int>], by factor: Int) -> [Range<Int>] {
        let luma = ranges[0].lowerBound / factor..<(ranges[0].upperBound + factor - 1) / factor
        let chroma =
            min(
                luma.lowerBound, ranges[1].lowerBound, ranges[2].lowerBound)..<max(
                luma.upperBound, ranges[1].upperBound, ranges[2].upperBound)
        return [chroma.lowerBound * factor..<chroma.upperBound * factor, chroma, chroma]
    }
}
