import Foundation

/// The cosines of a transform to N samples, √2 cos((2x+1)uπ/2N) with 14 fractional bits. Each value fills all elements
/// of a vector.
final class CosineMatrix {
    /// The cosines, ordered by the frequency u, from 1 on, and then by the sample x. Only the first half of the samples
    /// is listed: the second half has the same cosines in reverse order, with the opposite sign if u is odd.
    let values: [SIMD8<Int16>]

    init(_ scale: Int) {
        let half = (scale + 1) / 2
        values = (1..<scale).flatMap { u in
            (0..<half).map { x in
                let angle = Double((2 * x + 1) * u) / Double(2 * scale) * Double.pi
                return SIMD8(repeating: Int16((cos(angle) * 2.0.squareRoot() * 16384).rounded()))
            }
        }
    }
}
