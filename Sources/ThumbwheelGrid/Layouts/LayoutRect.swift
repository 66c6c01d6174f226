import ThumbwheelCore

/// A rectangle in a layout's contents, in pixels from their upper left corner. It is stored by its edges, so that a
/// rectangle may be infinite, and so that two rectangles that touch share an edge exactly.
public struct LayoutRect: Hashable, Sendable {
    /// The empty rectangle at the upper left corner.
    public static let zero = LayoutRect(minX: 0, minY: 0, maxX: 0, maxY: 0)

    /// The left edge.
    public var minX: Double
    /// The upper edge.
    public var minY: Double
    /// The right edge.
    public var maxX: Double
    /// The lower edge.
    public var maxY: Double

    /// Makes a rectangle from its edges.
    public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// Makes a rectangle from its upper left corner and its sides.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }

    /// The distance from the left to the right edge.
    public var width: Double { maxX - minX }

    /// The distance from the upper to the lower edge.
    public var height: Double { maxY - minY }

    /// Whether the rectangle has no area; a rectangle with an edge that is not a number is empty.
    public var isEmpty: Bool { !(minX < maxX && minY < maxY) }

    /// Whether the two rectangles have some area in common; rectangles that only touch do not intersect.
    public func intersects(_ other: LayoutRect) -> Bool {
        !isEmpty && !other.isEmpty && minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    /// Returns the parts of the rectangle that the other one does not cover: at most a strip above it, one below it,
    /// one at its left and one at its right. The strips do not overlap.
    public func subtracting(_ other: LayoutRect) -> [LayoutRect] {
        guard intersects(other) else { return isEmpty ? [] : [self] }
        let (top, bottom) = (max(minY, other.minY), min(maxY, other.maxY))
        let strips = [
            LayoutRect(minX: minX, minY: minY, maxX: maxX, maxY: top),
            LayoutRect(minX: minX, minY: top, maxX: other.minX, maxY: bottom),
            LayoutRect(minX: other.maxX, minY: top, maxX: maxX, maxY: bottom),
            LayoutRect(minX: minX, minY: bottom, maxX: maxX, maxY: maxY),
        ]
        return strips.filter { !$0.isEmpty }
    }

    /// Returns the rectangle moved by `x` and `y` pixels.
    func offset(x: Double, y: Double) -> LayoutRect {
        LayoutRect(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }
}
