/// The inverse transform in floating point, for quantisation tables that are too coarse for 16-bit arithmetic. Encoders
/// write such tables at their lowest qualities.
struct CoarseTransform {
    /// The largest quantisation step that a table of 8-bit steps can hold. Up to this step, 16 bits are enough for the
    /// product of a coefficient and its step. Before its quantisation, the coefficient is at most 1024, and rounding to
    /// a multiple of the step adds at most half a step. Only a table of 16-bit steps can hold larger steps.
    private static let largestFineStep: UInt16 = 255

    /// Whether this transform must be used: a quantisation step exceeds `largestFineStep`.
    static func isNeeded(for quantization: [UInt16]) -> Bool { quantization.contains { $0 > largestFineStep } }

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
