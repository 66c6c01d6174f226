/// A rectangle in fractions of an image's width and height, in display orientation, with the origin at the upper left.
public struct NormalizedRect: Hashable, Sendable, Codable {
    /// The left edge, from 0 at the image's left to 1 at its right.
    public var x: Double
    /// The upper edge, from 0 at the image's top to 1 at its bottom.
    public var y: Double
    /// The width as a fraction of the image's width.
    public var width: Double
    /// The height as a fraction of the image's height.
    public var height: Double

    /// Makes a rectangle of fractions, which may lie outside the image.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The rectangle of the whole image.
    public static let full = NormalizedRect(x: 0, y: 0, width: 1, height: 1)

    /// Whether all four numbers are finite and lie within the unit square, and the area is not empty.
    public var isWithinUnitSquare: Bool {
        guard let clamped = clampedToUnitSquare else { return false }
        return clamped == self
    }

    /// The part of the rectangle inside the unit square; nil if nothing is left or if a number is not finite.
    public var clampedToUnitSquare: NormalizedRect? {
        guard x.isFinite, y.isFinite, width.isFinite, height.isFinite, width > 0, height > 0 else { return nil }
        let left = min(max(x, 0), 1)
        let top = min(max(y, 0), 1)
        // A side that lies inside the unit square keeps its given length, because a length computed from x + width
        // would be rounded.
        let clampedWidth = left == x && x + width <= 1 ? width : min(x + width, 1) - left
        let clampedHeight = top == y && y + height <= 1 ? height : min(y + height, 1) - top
        guard clampedWidth > 0, clampedHeight > 0 else { return nil }
        return NormalizedRect(x: left, y: top, width: clampedWidth, height: clampedHeight)
    }
}
