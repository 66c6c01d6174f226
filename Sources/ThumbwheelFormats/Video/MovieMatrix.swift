/// The part of a movie's or track's matrix that turns, mirrors and scales, without the translation.
struct MovieMatrix {
    private let a: Double
    private let b: Double
    private let c: Double
    private let d: Double

    static let identity = MovieMatrix(a: 1, b: 0, c: 0, d: 1)

    private init(a: Double, b: Double, c: Double, d: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
    }

    /// Reads the nine numbers of a matrix (ISO/IEC 14496-12, 8.3.2).
    init(_ reader: inout HeadReader, at cursor: inout HeadCursor) throws(HeadError) {
        a = try cursor.signedFraction(from: &reader)
        b = try cursor.signedFraction(from: &reader)
        try cursor.skip(4)
        c = try cursor.signedFraction(from: &reader)
        d = try cursor.signedFraction(from: &reader)
        try cursor.skip(16)
    }

    /// The matrix that has the effect of this one, followed by that of the other.
    func followed(by other: MovieMatrix) -> MovieMatrix {
        MovieMatrix(
            a: a * other.a + b * other.c, b: a * other.b + b * other.d, c: c * other.a + d * other.c,
            d: c * other.b + d * other.d)
    }

    /// The orientation that the matrix gives to the stored frames. Angles are rounded to multiples of 90 degrees.
    var orientation: ImageOrientation {
        // A stored point (x, y) is shown at (ax + cy, bx + dy).
        if abs(b) + abs(c) > abs(a) + abs(d) {
            return b < 0 ? (c < 0 ? .rightMirrored : .left) : (c < 0 ? .right : .leftMirrored)
        }
        return a < 0 ? (d < 0 ? .down : .upMirrored) : (d < 0 ? .downMirrored : .up)
    }
}

extension HeadCursor {
    /// Reads a signed fixed-point number with 16 bits before and 16 bits after the point.
    mutating func signedFraction(from reader: inout HeadReader) throws(HeadError) -> Double {
        let bits = UInt32(clamping: try integer(4, from: &reader))
        return Double(Int32(bitPattern: bits)) / 65_536
    }
}
