import ThumbwheelCore

/// A width and a height in pixels, which may be fractions.
public struct LayoutSize: Hashable, Sendable {
    /// The empty size.
    public static let zero = LayoutSize(width: 0, height: 0)

    /// The width in pixels.
    public var width: Double
    /// The height in pixels.
    public var height: Double

    /// Makes a size; sides are in pixels.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Makes the size from a size in whole pixels.
    init(_ size: PixelSize) {
        self.init(width: Double(size.width), height: Double(size.height))
    }
}
