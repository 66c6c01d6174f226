/// The margins between the edges of a layout's contents and its items, in pixels.
public struct LayoutInsets: Hashable, Sendable {
    /// No margins.
    public static let zero = LayoutInsets(0)

    /// The margin above the first items.
    public var top: Double
    /// The margin at the left.
    public var left: Double
    /// The margin below the last items.
    public var bottom: Double
    /// The margin at the right.
    public var right: Double

    /// Makes margins, in pixels.
    public init(top: Double, left: Double, bottom: Double, right: Double) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// Makes margins of the same number of pixels on all sides.
    public init(_ all: Double) {
        self.init(top: all, left: all, bottom: all, right: all)
    }

    /// Whether all margins are finite numbers and none is negative.
    var isValid: Bool { [top, left, bottom, right].allSatisfy { $0.isFinite && $0 >= 0 } }
}
