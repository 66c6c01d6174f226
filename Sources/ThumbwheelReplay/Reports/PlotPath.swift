/// Path data in a plot's own units: a column is one unit wide, and the whole height is a thousand.
enum PlotPath {
    static let height = 1000

    /// Returns the outline of columns that stand on the ground; empty if no column has any height.
    ///
    /// - Parameter heights: the height of each column as a share of the whole height.
    static func columns(_ heights: [Double]) -> String {
        let levels = heights.map(level)
        guard levels.contains(where: { $0 != height }) else { return "" }
        var data = "M0 \(height)"
        for (index, level) in levels.enumerated() {
            // Neighbouring columns of the same height are drawn as one step.
            if index == 0 || level != levels[index - 1] { data += "V\(level)" }
            if index + 1 == levels.count || level != levels[index + 1] { data += "H\(index + 1)" }
        }
        return data + "V\(height)Z"
    }

    /// Returns a line from point to point; the first point is at the left edge.
    static func line(_ heights: [Double]) -> String {
        let levels = heights.map(level)
        guard let first = levels.first else { return "" }
        var data = "M0 \(first)"
        for index in levels.indices.dropFirst() {
            // Points between the two ends of a level stretch are left out.
            let isBetweenEquals =
                index + 1 < levels.count && levels[index] == levels[index - 1] && levels[index] == levels[index + 1]
            if !isBetweenEquals { data += "L\(index) \(levels[index])" }
        }
        return data
    }

    /// Returns a height as SVG counts it, downwards from the top.
    private static func level(_ share: Double) -> Int {
        guard share.isFinite else { return height }
        return height - Int((min(max(share, 0), 1) * Double(height)).rounded())
    }
}
