import ThumbwheelCore

/// Places the items of a scrolling view: it tells which items lie in a rectangle, and which rectangle an item has. A
/// layout is a plain value for fixed contents; changed contents get another layout.
///
/// Your own layout implements the first six members; the others have defaults. Planners work with ranges of items along
/// the axis. If the items between two positions along the axis are not consecutive, planners use the range that
/// encloses them.
public protocol ScrollLayout: Sendable {
    /// The number of items. Items are numbered from 0.
    var itemCount: Int { get }
    /// The direction in which the view scrolls.
    var axis: ScrollAxis { get }
    /// The size of the visible rectangle in pixels.
    var viewport: PixelSize { get }
    /// The size of the contents in pixels; no item lies beyond it.
    var contentSize: LayoutSize { get }
    /// Returns the rectangle of an item, in pixels from the upper left corner of the contents.
    ///
    /// - Precondition: The item is one of the layout's.
    /// - Complexity: At most logarithmic in the number of items, for the library's own layouts.
    func rect(of item: Int) -> LayoutRect
    /// Returns the items whose rectangles intersect a rectangle, as ranges in ascending order that do not touch.
    ///
    /// - Complexity: O(log *n* + *k*) for the library's own layouts, where *k* is the number of items in the lines that
    ///   the rectangle meets.
    func items(in rect: LayoutRect) -> [Range<Int>]

    /// Returns the range that encloses all items that lie at least partly between two positions along the axis.
    func items(from start: Double, to end: Double) -> Range<Int>
    /// The typical length of a line of items along the axis, in pixels, including the space to the next line.
    var lineLength: Double { get }
    /// The mean length of contents per item, in pixels along the axis.
    var lengthPerItem: Double { get }
    /// Returns the number of lines before an item; a fraction if lines have different lengths.
    func line(of item: Int) -> Double
    /// Returns the layout for another number of items, if it depends on nothing but that number; otherwise the layout
    /// itself.
    func fitted(toItemCount count: Int) -> Self
}

extension ScrollLayout {
    public func items(from start: Double, to end: Double) -> Range<Int> {
        guard start < end else { return 0..<0 }
        let band = LayoutRect(minX: -.infinity, minY: start, maxX: .infinity, maxY: end)
        let ranges = items(in: axis.upright(band))
        guard let first = ranges.first, let last = ranges.last else { return 0..<0 }
        return first.lowerBound..<last.upperBound
    }

    public var lineLength: Double { itemCount > 0 ? axis.upright(rect(of: 0)).height : screenLength }

    public var lengthPerItem: Double { itemCount > 0 ? contentLength / Double(itemCount) : screenLength }

    public func line(of item: Int) -> Double { axis.upright(rect(of: item)).minY / lineLength }

    public func fitted(toItemCount count: Int) -> Self { self }
}

extension ScrollLayout {
    /// The length of the visible rectangle along the axis, in pixels.
    public var screenLength: Double { axis.upright(LayoutSize(viewport)).height }

    /// The length of the contents along the axis, in pixels.
    public var contentLength: Double { axis.upright(contentSize).height }

    /// The position of the viewport's leading edge, in pixels along the axis, at the end of the contents.
    public var maximumOffset: Double { max(0, contentLength - screenLength) }

    /// Returns the visible rectangle whose leading edge is at `offset` along the axis.
    public func visibleRect(at offset: Double) -> LayoutRect {
        let breadth = axis.upright(LayoutSize(viewport)).width
        return axis.upright(LayoutRect(minX: 0, minY: offset, maxX: breadth, maxY: offset + screenLength))
    }

    /// Returns the items that are visible when the viewport's leading edge is at `offset` along the axis.
    public func visibleItems(at offset: Double) -> Range<Int> { items(from: offset, to: offset + screenLength) }

    /// Returns the size of an image that covers the item's rectangle, in whole pixels and at least one.
    public func targetSize(of item: Int) -> PixelSize {
        let rect = rect(of: item)
        return PixelSize(width: max(1, Int(rect.width.rounded(.up))), height: max(1, Int(rect.height.rounded(.up))))
    }

    /// Returns a position of the viewport, limited to the range that a user can reach: at most one screen beyond either
    /// end of the contents.
    ///
    /// - Returns: nil if `offset` is not a finite number. Planners ignore such a position.
    package func reachableOffset(_ offset: Double) -> Double? {
        guard offset.isFinite else { return nil }
        return min(max(offset, -screenLength), maximumOffset + screenLength)
    }
}
