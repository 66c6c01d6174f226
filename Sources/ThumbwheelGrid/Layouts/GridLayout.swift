import ThumbwheelCore

/// A grid of equal cells. Items fill lines (the rows of a vertical grid), and lines follow one another along the scroll
/// axis. By default the cells are square, the grid scrolls vertically, and there is no space between the cells.
public struct GridLayout: ScrollLayout, Hashable {
    /// The number of cells in a line: the columns of a vertical grid, the rows of a horizontal one.
    public var columnCount: Int
    /// The size of a cell in pixels.
    public var cell: LayoutSize
    /// The space between cells that are side by side (width), and between cells that are one above the other (height).
    public var spacing: LayoutSize
    /// The margins around all cells.
    public var insets: LayoutInsets
    public var axis: ScrollAxis
    public var viewport: PixelSize
    public var itemCount: Int

    /// Makes a vertical grid of square cells without space between them; sides are in pixels. A ``ScrollPreheater``
    /// sets the number of items itself.
    public init(columnCount: Int, cellSide: Double, viewport: PixelSize, itemCount: Int = 0) {
        self.init(
            columnCount: columnCount, cell: LayoutSize(width: cellSide, height: cellSide), viewport: viewport,
            itemCount: itemCount)
    }

    /// Makes a grid; sides, spacing and insets are in pixels.
    ///
    /// - Precondition: There is at least one cell in a line, the cell and the viewport are not empty, and neither
    ///   spacing nor insets are negative.
    public init(
        columnCount: Int, cell: LayoutSize, spacing: LayoutSize = .zero, insets: LayoutInsets = .zero,
        axis: ScrollAxis = .vertical, viewport: PixelSize, itemCount: Int = 0
    ) {
        precondition(columnCount > 0 && cell.width > 0 && cell.height > 0 && !viewport.isEmpty, "a grid of nothing")
        precondition(
            spacing.width >= 0 && spacing.height >= 0 && insets.isValid && itemCount >= 0, "a negative measure")
        self.columnCount = columnCount
        self.cell = cell
        self.spacing = spacing
        self.insets = insets
        self.axis = axis
        self.viewport = viewport
        self.itemCount = itemCount
    }

    /// The length of a cell along the axis in pixels, which is a square cell's side. Setting it makes the cells square.
    public var cellSide: Double {
        get { axis.upright(cell).height }
        set { cell = LayoutSize(width: newValue, height: newValue) }
    }

    /// The number of lines that fit into the viewport, which may be a fraction.
    public var rowsPerScreen: Double { screenLength / lineLength }

    /// The line of an item, counted from the first.
    public func row(ofItem index: Int) -> Int { index / columnCount }

    /// Returns the number of lines that hold `itemCount` items; the last line may not be full.
    public func rowCount(itemCount: Int) -> Int { (itemCount + columnCount - 1) / columnCount }

    public var contentSize: LayoutSize {
        let insets = axis.upright(insets)
        return axis.upright(
            LayoutSize(
                width: insets.left + columns.totalLength + insets.right,
                height: insets.top + rows.totalLength + insets.bottom))
    }

    public func rect(of item: Int) -> LayoutRect {
        precondition(item >= 0 && item < itemCount, "no item \(item) among \(itemCount)")
        let (rows, columns) = (rows, columns)
        let (row, column) = item.quotientAndRemainder(dividingBy: columnCount)
        return axis.upright(
            LayoutRect(
                minX: columns.start(of: column), minY: rows.start(of: row), maxX: columns.end(of: column),
                maxY: rows.end(of: row)))
    }

    public func items(in rect: LayoutRect) -> [Range<Int>] {
        let rect = axis.upright(rect)
        let across = columns.slots(from: rect.minX, to: rect.maxX)
        guard !across.isEmpty else { return [] }
        if across.count == columnCount {
            let items = items(from: rect.minY, to: rect.maxY)
            return items.isEmpty ? [] : [items]
        }
        return rows.slots(from: rect.minY, to: rect.maxY).compactMap { row in
            let first = row * columnCount + across.lowerBound
            return first < itemCount ? first..<min(itemCount, row * columnCount + across.upperBound) : nil
        }
    }

    public func items(from start: Double, to end: Double) -> Range<Int> {
        let rows = rows.slots(from: start, to: end)
        let first = min(itemCount, rows.lowerBound * columnCount)
        return first..<max(first, min(itemCount, rows.upperBound * columnCount))
    }

    public var lineLength: Double { rows.pitch }

    public var lengthPerItem: Double { rows.pitch / Double(columnCount) }

    public func line(of item: Int) -> Double { Double(row(ofItem: item)) }

    public func fitted(toItemCount count: Int) -> GridLayout {
        var layout = self
        layout.itemCount = count
        return layout
    }

    private var rows: EvenSlots {
        EvenSlots(
            start: axis.upright(insets).top, length: axis.upright(cell).height, gap: axis.upright(spacing).height,
            count: rowCount(itemCount: itemCount))
    }

    private var columns: EvenSlots {
        EvenSlots(
            start: axis.upright(insets).left, length: axis.upright(cell).width, gap: axis.upright(spacing).width,
            count: columnCount)
    }
}

// MARK: A grid of any number of items

extension GridLayout {
    /// Returns the position of the viewport's leading edge, in pixels, at the end of a grid of `itemCount` items.
    public func maximumOffset(itemCount: Int) -> Double { fitted(toItemCount: itemCount).maximumOffset }

    /// Returns the items that lie at least partly between two positions along the axis, in a grid of `itemCount` items.
    public func items(from start: Double, to end: Double, itemCount: Int) -> Range<Int> {
        fitted(toItemCount: itemCount).items(from: start, to: end)
    }

    /// Returns the items that are visible when the viewport's leading edge is at `offset`, in a grid of `itemCount`
    /// items.
    public func visibleItems(at offset: Double, itemCount: Int) -> Range<Int> {
        fitted(toItemCount: itemCount).visibleItems(at: offset)
    }
}
