/// A rectangle in fractions of an image's width and height, in display orientation, with the origin at the upper left.
public struct NormalizedRect: Hashable, Sendable, Codable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The whole image.
    public static let full = NormalizedRect(x: 0, y: 0, width: 1, height: 1)

    /// Whether all four numbers are finite and lie within the unit square, and the area is not empty.
    public var isWithinUnitSquare: Bool {
        guard let clamped = clampedToUnitSquare else { return false }
        return clamped == self
    }

    /// The part inside the unit square; nil where nothing is left or a number is not finite (decision on row 124).
    public var clampedToUnitSquare: NormalizedRect? {
        guard x.isFinite, y.isFinite, width.isFinite, height.isFinite, width > 0, height > 0 else { return nil }
        let left = min(max(x, 0), 1)
        let top = min(max(y, 0), 1)
        // An edge that lies on the unit square's own is kept as it is given: x + width would round.
        let clampedWidth = left == x && x + width <= 1 ? width : min(x + width, 1) - left
        let clampedHeight = top == y && y + height <= 1 ? height : min(y + height, 1) - top
        guard clampedWidth > 0, clampedHeight > 0 else { return nil }
        return NormalizedRect(x: left, y: top, width: clampedWidth, height: clampedHeight)
    }
}
