import Foundation

/// A matrix that makes `scale` samples along one axis of a block from the eight coefficients along that axis.
struct SampleMatrix {
    let scale: Int
    // The factors of the matrix. For each sample in turn, they are the eight factors by which the coefficients are
    // multiplied before they are added up.
    private let weights: [Float]

    /// Makes the matrix that transforms the first `scale` frequencies to `scale` samples.
    init(scale: Int) {
        self.scale = scale
        weights = (0..<scale).flatMap { x in (0..<8).map { u in u < scale ? Float(Self.basis(u, x, of: scale)) : 0 } }
    }

    /// Makes the matrix along one axis for a block that lies partly outside the image. Along this axis, only the
    /// block's first `count` samples at full size, from 1 to 8, belong to the image.
    ///
    /// The matrix combines three steps:
    /// - The eight coefficients are transformed to eight samples.
    /// - The samples outside the image are replaced by the last sample inside.
    /// - The eight samples are reduced to `scale` samples.
    ///
    /// So the values that an encoder has put outside the image have no influence. If the encoder itself has filled the
    /// outside with copies of the last sample inside, the result is the same as with `init(scale:)`.
    init(scale: Int, pictureCount count: Int) {
        self.scale = scale
        // Each tile of a TIFF that ends outside the page has such a matrix, so the cosines are computed once.
        let whole = (0..<8).map { u in (0..<8).map { Self.basis(u, $0, of: 8) } }
        let reduced = (0..<scale).map { u in (0..<scale).map { Self.basis(u, $0, of: scale) } }
        weights = (0..<scale).flatMap { x in
            let padded = (0..<8).map { place in
                (0..<scale).reduce(0.0) { $0 + reduced[$1][x] * whole[$1][place] }
            }
            return (0..<8).map { u in
                Float((0..<8).reduce(0.0) { $0 + padded[$1] * whole[u][min($1, count - 1)] })
            }
        }
    }

    /// The value of the basis function of frequency u at sample x of N: ½ C(u) cos((2x+1)uπ/2N). The basis is
    /// orthonormal for N = 8 (T.81, A.3.3).
    private static func basis(_ u: Int, _ x: Int, of count: Int) -> Double {
        0.5 * (u == 0 ? 0.5.squareRoot() : 1) * cos(Double((2 * x + 1) * u) * Double.pi / Double(2 * count))
    }

    /// Makes a block's samples, limited to the range from -128 to 127. At full size (scale 8), they are also rounded to
    /// whole numbers.
    ///
    /// - Parameters:
    ///   - coefficients: 64 coefficients in natural order, multiplied by their quantisation steps.
    ///   - across: the matrix along the horizontal axis.
    ///   - down: the matrix along the vertical axis.
    ///   - target: the block's first sample.
    ///   - pitch: the distance from row to row, in samples.
    static func transform(
        _ coefficients: UnsafePointer<Float>, across: SampleMatrix, down: SampleMatrix,
        into target: UnsafeMutablePointer<PlaneSample>, pitch: Int
    ) {
        let one = Float(1 << PlaneSample.binaryPlaces)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 64) { lines in
            // Transforms the columns first. For each row of samples, `lines` then holds eight coefficients, one for
            // each horizontal frequency. The second loop turns these coefficients into samples.
            for y in 0..<down.scale {
                for u in 0..<8 {
                    lines[y * 8 + u] = (0..<8).reduce(0) { $0 + down.weights[y * 8 + $1] * coefficients[$1 * 8 + u] }
                }
            }
            for y in 0..<down.scale {
                for x in 0..<across.scale {
                    var sample: Float = (0..<8).reduce(0) { $0 + across.weights[x * 8 + $1] * lines[y * 8 + $1] }
                    if across.scale == 8 { sample.round() }
                    target[y * pitch + x] = PlaneSample((max(-128, min(127, sample)) * one).rounded())
                }
            }
        }
    }
}
