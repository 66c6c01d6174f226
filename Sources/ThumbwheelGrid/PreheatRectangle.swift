/// The rectangle around the visible one that the best-known sample code keeps prepared, in any layout. It moves in steps of a
/// third of a screen; a step leaves some strips of the contents behind and reaches others.
public struct PreheatRectangle: Sendable {
    /// How far the rectangle reaches beyond the visible one on each side along the axis, in screens.
    public let reach: Double
    /// The rectangle at present, which is unbounded across the axis; without extent before the first move.
    public private(set) var rect = LayoutRect.zero
    private var gate = MovementGate()

    /// Makes a rectangle around nothing.
    ///
    /// - Parameter reach: How far it reaches beyond the visible rectangle on each side along the axis, in screens.
    public init(reach: Double = 0.5) {
        self.reach = reach
    }

    /// Moves the rectangle, if the viewport has moved by more than a third of a screen since the last time.
    ///
    /// - Parameters:
    ///   - offset: The position of the viewport's leading edge, in pixels along the axis.
    ///   - layout: The layout of the items at present.
    /// - Returns: The items that the rectangle reaches now and did not before, and those that it has left, both in ascending
    ///   order; nil if it stays where it is.
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
        // An item may reach from one strip into another.
        return strips.count > 1 ? Set(items).sorted() : items
    }
}
