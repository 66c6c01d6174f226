/// A rectangle around the visible one whose items are prepared, as in the best-known sample code, but for any layout.
/// It moves only after a third of a screen. A move leaves some strips of the contents and reaches others.
public struct PreheatRectangle: Sendable {
    /// The distance by which the rectangle exceeds the visible one on each side along the axis, in screens.
    public let reach: Double
    /// The current rectangle, which is unbounded across the axis; empty before the first move.
    public private(set) var rect = LayoutRect.zero
    private var gate = MovementGate()

    /// Makes an empty rectangle.
    ///
    /// - Parameter reach: The distance by which it will exceed the visible rectangle on each side along the axis, in
    ///   screens.
    public init(reach: Double = 0.5) {
        self.reach = reach
    }

    /// Moves the rectangle, if the viewport has moved by more than a third of a screen since the last move.
    ///
    /// - Parameters:
    ///   - offset: The position of the viewport's leading edge, in pixels along the axis.
    ///   - layout: The current layout of the items.
    /// - Returns: The items that the rectangle reaches now but did not reach before, and those that it has left, both
    ///   in ascending order; nil if the rectangle has not moved.
    public mutating func move(to offset: Double, in layout: any ScrollLayout) -> (added: [Int], removed: [Int])? {
        let screen = layout.screenLength
        guard gate.opens(at: offset, screen: screen) else { return nil }
        let before = rect
        rect = layout.axis.upright(
            LayoutRect(
                minX: -.infinity, minY: offset - reach * screen, maxX: .infinity,
                maxY: offset + screen + reach * screen))
        return (Self.items(in: rect, notIn: before, layout), Self.items(in: before, notIn: rect, layout))
    }

    /// Returns the items that intersect one rectangle and not the other. Only the strips between the two are looked at.
    private static func items(in rect: LayoutRect, notIn other: LayoutRect, _ layout: any ScrollLayout) -> [Int] {
        let strips = rect.subtracting(other).map { layout.items(in: $0).joined() }
        let items = strips.joined().filter { !layout.rect(of: $0).intersects(other) }
        // An item may lie in two strips.
        return strips.count > 1 ? Set(items).sorted() : items
    }
}
