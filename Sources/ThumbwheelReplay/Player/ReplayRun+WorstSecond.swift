extension ReplayRun {
    /// The greatest number of assets that a report shows.
    private static let worstCellCount = 24

    /// Finds the second with the most blank cell-frames in the warm part of the run, if there is one: before the first image,
    /// everything is blank.
    ///
    /// - Parameter appearances: the appearances of all cells.
    func worstSecond(_ appearances: [GridBoard.Appearance]) -> WorstSecond? {
        let start = (warmStart ?? 0) < frames.count ? warmStart ?? 0 : 0
        let length = min(frames.count - start, max(1, Int(framesPerSecond.rounded())))
        var blank = 0
        var worst = (frame: start, blank: 0)
        for frame in start..<frames.count {
            blank += frames[frame].counts.blank
            if frame - start >= length { blank -= frames[frame - length].counts.blank }
            if blank > worst.blank { worst = (max(start, frame - length + 1), blank) }
        }
        guard worst.blank > 0 else { return nil }
        let second = worst.frame..<worst.frame + length
        var blankFrames: [Int: Int] = [:]
        for appearance in appearances {
            let count = appearance.blankFrames.clamped(to: second).count
            if count > 0 { blankFrames[appearance.asset.number, default: 0] += count }
        }
        let cells = blankFrames.map { WorstSecond.Cell(asset: $0.key, blankFrames: $0.value) }
            .sorted { ($1.blankFrames, $0.asset) < ($0.blankFrames, $1.asset) }
        return WorstSecond(
            frames: second, blankCellFrames: worst.blank, cells: Array(cells.prefix(Self.worstCellCount)))
    }
}
