/// The inverse transform for quantisation tables that are too coarse for 16-bit arithmetic, which encoders write at the
/// lowest qualities.
struct CoarseTransform {
    /// The largest step of tables with 8-bit steps. With these steps, no picture's coefficient exceeds 1024 by more than
    /// half a step.
    private static let largestFineStep: UInt16 = 255
    /// The most that rounding may add at scales from 5 to 7, to a column's sum and to a sample:
    /// - A sum holds 2048. The picture itself takes 1024, and a third more if high frequencies are left out.
    /// - A sample holds 1024 levels. The picture takes less than a quarter of them.
    private static let (mostAddedToSum, mostAddedLevels) = (680.0, 768.0)

    /// Whether 16-bit arithmetic is too narrow for a scale and a quantisation table.
    ///
    /// Each coefficient is off by half of its step at most. At scales from 5 to 7 the errors of a block's coefficients may
    /// exceed 16 bits together if all of them point in one direction.
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

    /// Transforms `count` neighbouring blocks, under the same contract as `BlockTransform.transform`.
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
