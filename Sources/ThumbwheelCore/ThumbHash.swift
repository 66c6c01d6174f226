/// A photograph in some 20 bytes: a few coefficients of its cosine transform. They suffice to paint a blurred
/// placeholder, in the photograph's colours and roughly in its shape, until the image itself arrives.
///
/// The format is Evan Wallace's ThumbHash (2023), and the bytes are the same as in its other implementations: a server
/// may send them to clients of any kind, which paint the placeholder by themselves.
public struct ThumbHash: Sendable, Hashable {
    /// The bytes of the hash, the first in the lowest bits; all bits after the last byte are 0.
    package let words: SIMD4<UInt64>

    /// The number of bytes of the longest possible hash, which has alpha.
    package static let byteLimit = 25

    package init(words: SIMD4<UInt64>) {
        self.words = words
    }

    /// Makes a hash from the bytes in which it was stored or sent; nil if they are not the bytes of a hash.
    public init?(bytes: some Collection<UInt8>) {
        guard (5...Self.byteLimit).contains(bytes.count) else { return nil }
        var words = SIMD4<UInt64>()
        for (index, byte) in bytes.enumerated() { words[index >> 3] |= UInt64(byte) << UInt64(index & 7 * 8) }
        self.words = words
        guard luminanceLimit > 0, bytes.count == byteCount else { return nil }
    }

    /// The hash as it is stored and sent; 5 to 25 bytes.
    public var bytes: [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: words[$0 >> 3] >> UInt64($0 & 7 * 8)) }
    }

    /// The number of bytes in `bytes`.
    public var byteCount: Int { (firstCoefficientBit + 4 * coefficientCount + 7) / 8 }

    /// Whether the picture is transparent anywhere.
    public var hasAlpha: Bool { bits(23, 1) == 1 }

    /// The width divided by the height, as precisely as the hash states it: in steps of a seventh of the longer side.
    public var aspectRatio: Double {
        let (width, height) = luminanceSteps
        return Double(width) / Double(height)
    }

    /// A colour in sRGB, each part from 0 to 1; alpha is not premultiplied.
    public struct Color: Sendable, Hashable {
        /// The red part.
        public var red: Double
        /// The green part.
        public var green: Double
        /// The blue part.
        public var blue: Double
        /// The opacity; 1 for opaque.
        public var alpha: Double
    }

    /// The mean colour of all pixels.
    public var averageColor: Color {
        let luminance = Double(bits(0, 6)) / 63
        let yellowness = Double(bits(6, 6)) / 31.5 - 1
        let redness = Double(bits(12, 6)) / 31.5 - 1
        let blue = luminance - 2 / 3 * yellowness
        let red = (3 * luminance - blue + redness) / 2
        func clamped(_ part: Double) -> Double { min(1, max(0, part)) }
        return Color(
            red: clamped(red), green: clamped(red - redness), blue: clamped(blue),
            alpha: hasAlpha ? Double(bits(40, 4)) / 15 : 1)
    }
}

// MARK: Where its parts are

extension ThumbHash {
    /// Returns `count` bits from bit `first` on, lowest first; they must lie within one word.
    package func bits(_ first: Int, _ count: Int) -> Int {
        Int(truncatingIfNeeded: words[first >> 6] >> UInt64(first & 63)) & (1 << count - 1)
    }

    package var isLandscape: Bool { bits(39, 1) == 1 }

    /// The number of luminance frequencies along the shorter side; the longer side always has the greatest possible
    /// number.
    private var luminanceLimit: Int { bits(24, 3) }

    /// The number of luminance frequencies in each direction, which states the shape of the picture.
    private var luminanceSteps: (width: Int, height: Int) {
        let longer = hasAlpha ? 5 : 7
        return isLandscape ? (longer, luminanceLimit) : (luminanceLimit, longer)
    }

    /// The number of luminance frequencies that are stored in each direction, which is at least three.
    package var luminanceFrequencies: (width: Int, height: Int) {
        let (width, height) = luminanceSteps
        return (max(3, width), max(3, height))
    }

    package var firstCoefficientBit: Int { hasAlpha ? 48 : 40 }

    /// Returns how many frequencies across are stored with the frequency `row` down. Of all pairs of frequencies, only
    /// those in a triangle are stored.
    package static func rowLength(_ row: Int, of frequencies: (width: Int, height: Int)) -> Int {
        (frequencies.width * (frequencies.height - row) + frequencies.height - 1) / frequencies.height
    }

    /// Returns the number of stored coefficients, without the constant coefficient.
    package static func coefficientCount(_ frequencies: (width: Int, height: Int)) -> Int {
        (0..<frequencies.height).reduce(-1) { $0 + rowLength($1, of: frequencies) }
    }

    private var coefficientCount: Int {
        let chroma = Self.coefficientCount((3, 3))
        return Self.coefficientCount(luminanceFrequencies) + 2 * chroma
            + (hasAlpha ? Self.coefficientCount((5, 5)) : 0)
    }
}
