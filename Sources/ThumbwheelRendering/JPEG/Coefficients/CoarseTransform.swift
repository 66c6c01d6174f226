/// The inverse transform in floating point, for quantisation tables that are too coarse for 16-bit arithmetic. Encoders
/// write such tables at their lowest qualities.
struct CoarseTransform {
    /// The largest step that a quantisation table with 8-bit steps can hold. With steps up to this one, a picture's
    /// coefficients, multiplied by their steps, exceed 1024 by half a step at most, so they fit 16 bits at every scale.
    private static let largestFineStep: UInt16 = 255
    /// The most that quantisation errors may add at scales from 5 to 7 without exceeding the 16 bits of
    /// `BlockTransform`:
    /// - `mostAddedToSum` applies to the sum of a column, which can hold 2048. The picture itself takes 1024 of that,
    ///   and a third more if high frequencies are left out.
    /// - `mostAddedLevels` applies to a sample, which can hold 1024 grey levels. The picture takes less than a quarter
    ///   of them.
    private static let (mostAddedToSum, mostAddedLevels) = (680.0, 768.0)

    /// Whether 16-bit arithmetic is too narrow for a scale and a quantisation table. It is too narrow at every scale if
    /// a step exceeds `largestFineStep`.
    ///
    /// At scales from 5 to 7, it may also be too narrow because of quantisation errors. An error changes a coefficient
    /// by half of its step at most. If the errors of all coefficients of a block add up, their sum may exceed 16 bits.
    static func isNeeded(scale: Int, quantization: [UInt16]) -> Bool {
        if quantization.contains(where: { $0 > largestFineStep }) { return true }
        guard (5...7).contains(scale) else { return false }
        let steps = JPEGTables.inNaturalOrder(quantization)
        func weight(_ frequency: Int) -> Double { frequency == 0 ? 1 : 2.0.squareRoot() }
        var levels = 0.0
        for u in 0..<scale {
            let sum = (0..<scale).reduce(0) { $0 + weight($1) * Double(steps[$1 * 8 + u]) / 2 }
            if sum > mostAddedToSum { return true }
            levels += weight(u) * sum / 8
        }
        return levels > mostAddedLevels
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
