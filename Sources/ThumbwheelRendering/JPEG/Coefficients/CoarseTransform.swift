/// The inverse transform in floating point, for quantisation tables that are too coarse for 16-bit arithmetic. Encoders
/// write such tables at their lowest qualities.
struct CoarseTransform {
    /// The largest quantisation step that a table of 8-bit steps can hold. Up to this step, 16 bits are enough for the
    /// product of a coefficient and its step. Before its quantisation, the coefficient is at most 1024, and rounding to
    /// a multiple of the step adds at most half a step. Only a table of 16-bit steps can hold larger steps.
    private static let largestFineStep: UInt16 = 255
    /// The largest quantisation errors with which the 16-bit arithmetic of `BlockTransform` does not overflow at the
    /// scales 5, 6 and 7.
    ///
    /// - `maximumAddedToSum` is the largest error in the sum over a column of coefficients. A sum has 4 fractional
    ///   bits, so it must stay below 2048. Without the error, it is at most 1024, which stands for 128 grey levels. If
    ///   high frequencies are left out, as at these scales, it is at most about 1365; 1365 + 680 is below 2048.
    /// - `maximumAddedLevels` is the largest error in a sample, in grey levels. A sample has 5 fractional bits, so it
    ///   must stay below 1024. Without the error, it is below 256; 256 + 768 is 1024.
    private static let (maximumAddedToSum, maximumAddedLevels) = (680.0, 768.0)

    /// Whether this transform must be used, because 16-bit arithmetic might overflow. That is so in two cases:
    /// - A quantisation step exceeds `largestFineStep`.
    /// - The scale is 5, 6 or 7, and the quantisation errors of a block's coefficients might add up to more than
    ///   `maximumAddedToSum` or `maximumAddedLevels`. Each error is at most half of the coefficient's step.
    static func isNeeded(scale: Int, quantization: [UInt16]) -> Bool {
        if quantization.contains(where: { $0 > largestFineStep }) { return true }
        guard (5...7).contains(scale) else { return false }
        let steps = JPEGTables.inNaturalOrder(quantization)
        func weight(_ frequency: Int) -> Double { frequency == 0 ? 1 : 2.0.squareRoot() }
        var levels = 0.0
        for u in 0..<scale {
            let sum = (0..<scale).reduce(0) { $0 + weight($1) * Double(steps[$1 * 8 + u]) / 2 }
            if sum > maximumAddedToSum { return true }
            levels += weight(u) * sum / 8
        }
        return levels > maximumAddedLevels
    }

    private let matrix: SampleMatrix
    private let scale: Int
    // The 64 quantisation steps, in natural order.
    private let steps: [Float]

    /// - Parameter quantization: 64 quantisation steps in zigzag order.
    init(scale: Int, quantization: [UInt16]) {
        self.scale = scale
        matrix = SampleMatrix(scale: scale)
        steps = JPEGTables.inNaturalOrder(quantization).map(Float.init)
    }

    /// Transforms `count` neighbouring blocks. The parameters mean the same as those of `BlockTransform.transform`.
    func transform(
        _ source: UnsafePointer<Int16>, stride: Int, count: Int, into target: UnsafeMutablePointer<PlaneSample>,
        pitch: Int
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 64) { coefficients in
            coefficients.initialize(repeating: 0)
            for block in 0..<count {
                for index in 0..<scale * scale {
                    let natural = index / scale * 8 + index % scale
                    coefficients[natural] = Float(source[index * stride + block]) * steps[natural]
                }
                SampleMatrix.transform(
                    coefficients.baseAddress!, across: matrix, down: matrix, into: target + block * scale, pitch: pitch)
            }
        }
    }
}
