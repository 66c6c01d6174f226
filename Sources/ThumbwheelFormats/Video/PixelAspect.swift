import ThumbwheelCore

/// The aspect ratio of a picture's pixels: their width divided by their height.
public struct PixelAspect: Sendable, Hashable {
    /// The width of a pixel in relation to `vertical`.
    public let horizontal: Int
    /// The height of a pixel in relation to `horizontal`.
    public let vertical: Int

    /// The ratio of square pixels.
    public static let square = PixelAspect(reducing: 1, 1)

    /// Makes a ratio, reduced to lowest terms. A ratio below 1:16 or above 16:1 counts as 1:1, because no video has it.
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

    /// Returns the size of a picture after its pixels are made square. The height stays the same.
    func squareSize(of size: PixelSize) -> PixelSize {
        guard horizontal != vertical, !size.isEmpty else { return size }
        let width = Double(size.width) * Double(horizontal) / Double(vertical)
        return PixelSize(width: max(1, Int(min(width.rounded(), Double(Int32.max)))), height: size.height)
    }
}
