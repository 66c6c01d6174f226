import Foundation

/// The cosines of a transform to N samples, √2 cos((2x+1)uπ/2N) with 14 fractional bits. Each value fills all elements
/// of a vector.
final class CosineMatrix {
    /// The cosines, ordered by the frequency u, from 1 on, and then by the sample x. Only the first half of the samples
    /// is listed: the second half has the same cosines in reverse order, with the opposite sign if u is odd.
    let values: [SIMD8<Int16>]
    private let scale: Int

    init(_ scale: Int) {
        self.scale = scale
        let half = (scale + 1) / 2
        values = (1..<scale).flatMap { u in
            (0..<half).map { x in
                let angle = Double((2 * x + 1) * u) / Double(2 * scale) * Double.pi
                return SIMD8(repeating: Int16((cos(angle) * 2.0.squareRoot() * 16384).rounded()))
            }
        }
    }

    /// Whether 16 bits might be too few for a column's sum with four fractional bits, which must stay below 2048, or for a
    /// sample with five, which must stay below 1024 levels. With one fractional bit less they are enough for all steps up to
    /// 255.
    ///
    /// A picture's own sums are at most 1024 times `gain`, and its samples 128 times its square. Rounding of the coefficients
    /// adds half of a step for each of them at most, if all errors point one way.
    ///
    /// - Parameter steps: the 64 quantisation steps, row by row.
    func mightOverflow(_ steps: [UInt16]) -> Bool {
        // The largest sum of absolute values in a row of the matrix that turns eight samples into `scale` samples.
        let gain = [5: 1.607, 6: 1.739, 7: 1.848][scale]!
        func weight(_ frequency: Int) -> Double { frequency == 0 ? 1 : 2.0.squareRoot() }
        let errors = (0..<scale).map { u in
            (0..<scale).reduce(0) { $0 + weight($1) * Double(steps[$1 * 8 + u]) / 2 }
        }
        let levels = errors.indices.reduce(0) { $0 + weight($1) * errors[$1] / 8 }
        return errors.max()! + 1024 * gain > 2047 || levels + 128 * gain * gain > 1023
    }
}
