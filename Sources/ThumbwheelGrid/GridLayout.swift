import ThumbwheelCore

/// A grid of square cells that scrolls vertically: items fill rows from the left, rows follow one another from the top.
public struct GridLayout: Hashable, Sendable {
    /// The number of cells in a row.
    public var columnCount: Int
    /// The side of a cell in pixels.
    public var cellSide: Double
    /// The size of the visible rectangle in pixels.
    public var viewport: PixelSize

    /// Makes a grid of square cells; sides are in pixels.
    public init(columnCount: Int, cellSide: Double, viewport: PixelSize) {
        precondition(columnCount > 0 && cellSide > 0 && !viewport.isEmpty, "a grid of nothing")
        self.columnCount = columnCount
        self.cellSide = cellSide
        self.viewport = viewport
    }

    /// The number of rows that the viewport shows when its upper edge lies at the top of a row.
    public var rowsPerScreen: Double { Double(viewport.height) / cellSide }

    /// The row of an item, counted from the top.
    public func row(ofItem index: Int) -> Int { index / columnCount }

    /// Returns the number of rows that hold `itemCount` items; the last row may not be full.
    public func rowCount(itemCount: Int) -> Int { (itemCount + columnCount - 1) / columnCount }

    /// Returns the position of the viewport's upper edge, in pixels, at the very bottom of the grid.
    public func maximumOffset(itemCount: Int) -> Double {
        max(0, Double(rowCount(itemCount: itemCount)) * cellSide - Double(viewport.height))
    }

    /// Returns the position of a viewport, limited to the reachable range: a finger may pull the grid one screen beyond its
    /// ends, and no farther.
    ///
    /// - Returns: nil if `offset` is not a finite number. Planners ignore such a position.
    package func reachableOffset(_ offset: Double, itemCount: Int) -> Double? {
        guard offset.isFinite else { return nil }
        let screen = Double(viewport.height)
        return min(max(offset, -screen), maximumOffset(itemCount: itemCount) + screen)
    }

    /// Returns the items that lie at least partly between two heights, measured in pixels from the grid's top.
    public func items(from top: Double, to bottom: Double, itemCount: Int) -> Range<Int> {
        guard bottom > top, itemCount > 0 else { return 0..<0 }
        // The rows are clamped before they are converted to integers, so that a window of infinite height contains all items.
        let rows = Double(rowCount(itemCount: itemCount))
        let firstRow = Int(min(max((top / cellSide).rounded(.down), 0), rows))
        let endRow = max(firstRow, Int(min(max((bottom / cellSide).rounded(.up), 0), rows)))
        let first = min(itemCount, firstRow * columnCount)
        return first..<max(first, min(itemCount, endRow * columnCount))
    }

    /// Returns the items that are visible when the viewport's upper edge is at `offset`.
    public func visibleItems(at offset: Double, itemCount: Int) -> Range<Int> {
        items(from: offset, to: offset + Double(viewport.height), itemCount: itemCount)
    }
}
