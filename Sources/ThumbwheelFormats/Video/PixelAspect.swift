import ThumbwheelCore

/// The shape of a picture's pixels: their width to their height.
public struct PixelAspect: Sendable, Hashable {
    /// The width of a pixel, in the unit of `vertical`.
    public let horizontal: Int
    /// The height of a pixel, in the unit of `horizontal`.
    public let vertical: Int

    /// The shape of square pixels.
    public static let square = PixelAspect(reducing: 1, 1)

    /// Makes a shape; the smallest numbers of the same ratio are kept. Shapes that are not of 1 to 16 up to 16 to 1 count as
    /// square, because no video has them.
    public init(_ horizontal: Int, _ vertical: Int) {
        guard horizontal > 0, vertical > 0, Self.isPossible(horizontal, vertical) else {
            self = .square
            return
        }
        self.init(reducing: horizontal, vertical)
    }

    private init(reducing horizontal: Int, _ vertical: Int) {
        var (divisor, rest) = (horizontal, vertical)
        while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
        self.horizontal = horizontal / divisor
        self.vertical = vertical / divisor
    }

    private static func isPossible(_ horizontal: Int, _ vertical: Int) -> Bool {
        1.0 / 16...16 ~= Double(horizontal) / Double(vertical)
    }

    /// Returns the size of a picture of `size` with square pixels. The height stays as it is.
    func squareSize(of size: PixelSize) -> PixelSize {
        guard horizontal != vertical, !size.isEmpty else { return size }
        let width = Double(size.width) * Double(horizontal) / Double(vertical)
        return PixelSize(width: max(1, Int(min(width.rounded(), Double(Int32.max)))), height: size.height)
    }
}
