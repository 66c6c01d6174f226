import Foundation

/// Makes N samples along one axis of a block from its eight coefficients along that axis.
struct SampleMatrix {
    let scale: Int
    // By sample, then by frequency: eight weights for each sample.
    private let weights: [Float]

    /// The transform of the first N frequencies to N samples.
    init(scale: Int) {
        self.scale = scale
        weights = (0..<scale).flatMap { x in (0..<8).map { u in u < scale ? Float(Self.wave(u, x, of: scale)) : 0 } }
    }

    /// The transform of a block of which only the first `count` samples, 1 to 8, belong to the image. The samples
    /// behind them count as equal to the last one, whatever the file holds.
    ///
    /// A block that its encoder padded with the last sample comes out as by the plain transform.
    init(scale: Int, pictureCount count: Int) {
        self.scale = scale
        weights = (0..<scale).flatMap { x in
            (0..<8).map { u in
                let value = (0..<8).reduce(0.0) { sum, place in
                    let padded = (0..<scale).reduce(0.0) {
                        $0 + Self.wave($1, x, of: scale) * Self.wave($1, place, of: 8)
                    }
                    return sum + padded * Self.wave(u, min(place, count - 1), of: 8)
                }
                return Float(value)
            }
        }
    }

    /// ½ C(u) cos((2x+1)uπ/2N), which is orthonormal for N = 8 (T.81, A.3.3).
    private static func wave(_ u: Int, _ x: Int, of count: Int) -> Double {
        0.5 * (u == 0 ? 0.5.squareRoot() : 1) * cos(Double((2 * x + 1) * u) * Double.pi / Double(2 * count))
    }

    /// Makes a block's samples, limited to the range of a full decode, and rounded to whole numbers at full scale.
    ///
    /// - Parameters:
    ///   - coefficients: 64 coefficients in natural order, multiplied by their steps.
    ///   - pitch: the distance from row to row of the samples.
    static func transform(
        _ coefficients: UnsafePointer<Float>, across: SampleMatrix, down: SampleMatrix,
        into target: UnsafeMutablePointer<PlaneSample>, pitch: Int
    ) {
        let one = Float(1 << PlaneSample.binaryPlaces)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 64) { lines in
            // For each sample down, the eight frequencies across.
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

/// The transform for quantisation tables that are too coarse for 16 bits, which encoders write for the lowest qualities.
struct CoarseTransform {
    /// The largest step of 8-bit tables. With these, no picture's coefficient exceeds 1024 by more than half of a step.
    private static let largestFineStep: UInt16 = 255
    /// The most that rounding may add at scales from 5 to 7: to a column's sum, which holds 2048 and of which the picture
    /// itself takes 1024 and a third more where high frequencies are left out; and to a sample, which holds 1024 levels, of
    /// which the picture takes less than a quarter.
    private static let (mostAddedToSum, mostAddedLevels) = (680.0, 768.0)

    /// Whether 16 bits are too few for a scale.
    ///
    /// Each coefficient is off by half of its step at most. At scales from 5 to 7 the errors of a block's coefficients may
    /// add up beyond 16 bits if all of them point one way.
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
    // The steps in natural order.
    private let steps: [Float]

    /// - Parameter quantization: 64 steps in zigzag order.
    init(scale: Int, quantization: [UInt16]) {
        self.scale = scale
        matrix = SampleMatrix(scale: scale)
        steps = JPEGTables.inNaturalOrder(quantization).map(Float.init)
    }

    /// Has the same contract as `BlockTransform.transform`.
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
