/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable, Codable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Makes a size; sides may be 0 or less, see `isEmpty`.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The target size that stands for the largest rendering of the chosen version, unscaled; see
    /// <doc:Semantics#Target-sizes>.
    public static let maximum = PixelSize(width: -1, height: -1)

    /// The size without pixels: 0 by 0.
    public static let zero = PixelSize(width: 0, height: 0)

    /// Whether either side is zero or less.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// Width times height; saturates instead of overflowing.
    public var pixelCount: Int {
        let (product, overflows) = width.multipliedReportingOverflow(by: height)
        return overflows ? .max : product
    }

    /// The size after a quarter turn, with width and height exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
    public var description: String { self == .maximum ? "maximum" : "\(width)x\(height)" }

    /// Reads `640x480`; nil for anything else.
    @inlinable public init?(_ description: some StringProtocol) {
        let sides = description.split(separator: "x", omittingEmptySubsequences: false)
        // The digits are checked here, because `Int` accepts signs, too.
        guard sides.count == 2, sides.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
            let width = Int(sides[0]), let height = Int(sides[1])
        else { return nil }
        self.init(width: width, height: height)
    }
}
