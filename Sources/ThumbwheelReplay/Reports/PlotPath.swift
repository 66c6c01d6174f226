/// Path data in a plot's own units: a column is one unit wide, and the whole height is a thousand.
enum PlotPath {
    static let height = 1000

    /// The outline of columns that stand on the ground; empty where all have no height.
    ///
    /// - Parameter heights: shares of the whole height, one a column.
    static func columns(_ heights: [Double]) -> String {
        let levels = heights.map(level)
        guard levels.contains(where: { $0 != height }) else { return "" }
        var data = "M0 \(height)"
        for (index, level) in levels.enumerated() {
            // Neighbours of one height are one step.
            if index == 0 || level != levels[index - 1] { data += "V\(level)" }
            if index + 1 == levels.count || level != levels[index + 1] { data += "H\(index + 1)" }
        }
        return data + "V\(height)Z"
    }

    /// A line from point to point, the first at 0.
    static func line(_ heights: [Double]) -> String {
        let levels = heights.map(level)
        guard let first = levels.first else { return "" }
        var data = "M0 \(first)"
        for index in levels.indices.dropFirst() {
            // The points between two ends of a level stretch add nothing.
            let isBetweenEquals =
                index + 1 < levels.count && levels[index] == levels[index - 1] && levels[index] == levels[index + 1]
            if !isBetweenEquals { data += "L\(index) \(levels[index])" }
        }
        return data
    }

    /// Down from the top, as SVG counts.
    private static func level(_ share: Double) -> Int {
        guard share.isFinite else { return height }
        return height - Int((min(max(share, 0), 1) * Double(height)).rounded())
    }
}
