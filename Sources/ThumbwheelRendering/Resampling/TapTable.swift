/// The taps of a resampling along one axis: the input samples that make each output sample, and their weights.
///
/// Every output sample has the same number of taps, so that inner loops have a fixed number of steps. Taps outside the
/// kernel have the weight 0.
final class TapTable: Sendable {
    struct Key: Hashable, Sendable {
        /// The start of the interval that is resampled, in input samples.
        var start: Double
        /// The length of the interval that is resampled, in input samples.
        var length: Double
        var inputCount: Int
        var outputCount: Int
        /// The end of the image, in input samples. If this is less than `inputCount`, the last input sample lies partly
        /// outside the image.
        var end: Double

        /// Describes the resampling of an interval.
        ///
        /// - Parameter end: the place where the image ends, in input samples. It may lie inside the last sample, for
        ///   example if the image was decoded at a reduced scale. Nil if the image ends where the last sample ends.
        init(start: Double, length: Double, inputCount: Int, outputCount: Int, end: Double? = nil) {
            self.start = start
            self.length = length
            self.inputCount = inputCount
            self.outputCount = outputCount
            self.end = min(Double(inputCount), max(Double(inputCount - 1), end ?? .infinity))
        }
    }

    /// The number of taps of one output sample.
    let count: Int
    /// For each output sample, the index of the first input sample that has a tap.
    let firstInputs: [Int]
    /// The weights, `count` for each output sample; the weights of an output sample add up to 1.
    let weights: [Float]
    /// The weights with `fixedPlaces` fractional bits. The weights of an output sample add up to exactly 1, with one
    /// exception: if one weight is 1 and all others are 0, the 1 does not fit into 16 bits and is stored as slightly
    /// less.
    let fixedWeights: [Int16]
    /// The number of fractional bits of `fixedWeights`: 15, or 14 if a weight exceeds 1, as may happen at the image's
    /// edge, where the kernel is cut off.
    let fixedPlaces: Int
    /// The average number of weights other than 0 per output sample. The rounding error of a fixed-point sum grows with
    /// this number.
    let meanContributors: Double

    /// The range of input samples that are needed to make all output samples.
    var inputRange: Range<Int> { firstInputs[0]..<firstInputs[firstInputs.count - 1] + count }

    init(_ key: Key) {
        let step = key.length / Double(key.outputCount)
        // Widens the kernel by the factor by which the image is reduced. If the image is enlarged, the kernel keeps its
        // width.
        let stretch = max(1, step)
        let reach = Lanczos3.support * stretch
        let spans = (0..<key.outputCount).map { index in
            let centre = key.start + (Double(index) + 0.5) * step
            let lower = min(max(0, Int((centre - reach + 0.5).rounded(.down))), key.inputCount - 1)
            let upper = max(lower + 1, min(key.inputCount, Int((centre + reach + 0.5).rounded(.down))))
            return (range: lower..<upper, centre: centre)
        }
        let count = spans.reduce(0) { max($0, $1.range.count) }
        let firstInputs = spans.map { min($0.range.lowerBound, key.inputCount - count) }
        var all = Array(repeating: 0.0, count: spans.count * count)
        all.withUnsafeMutableBufferPointer { all in
            for (index, span) in spans.enumerated() {
                let start = index * count + span.range.lowerBound - firstInputs[index]
                Self.weigh(
                    span.range, around: span.centre, stretch, end: key.end,
                    into: UnsafeMutableBufferPointer(rebasing: all[start..<start + span.range.count]))
            }
        }
        // The fixed-point number that stands for a weight of 1: 2¹⁴ if any weight is greater than 1, and otherwise 2¹⁵.
        // With 2¹⁵, a greater weight would not fit into 16 bits. An excess of up to 1e-9 is ignored, because it comes
        // from rounding.
        let one = (all.max() ?? 0) > 1 + 1e-9 ? 16384 : 32768
        self.count = count
        self.firstInputs = firstInputs
        weights = all.map(Float.init)
        fixedWeights = Self.quantized(all, count, one: one)
        fixedPlaces = one == 32768 ? 15 : 14
        meanContributors = Double(all.reduce(0) { $0 + ($1 == 0 ? 0 : 1) }) / Double(spans.count)
    }

    /// Computes the weights that the input samples in the range `samples` have in one output sample. The weights add up
    /// to 1. An input sample that lies partly beyond `end` gets only a share of its weight. Such a sample shows less of
    /// the image than other samples do, and may contain an encoder's padding.
    private static func weigh(
        _ samples: Range<Int>, around centre: Double, _ stretch: Double, end: Double,
        into weights: UnsafeMutableBufferPointer<Double>
    ) {
        let start = (Double(samples.lowerBound) + 0.5 - centre) / stretch
        var sum = Lanczos3.weigh(from: start, step: 1 / stretch, into: weights)
        let last = Double(samples.upperBound - 1)
        if end < last + 1 {
            let share = end - last
            let weight = share * Lanczos3.weight(at: (last + share / 2 - centre) / stretch)
            sum += weight - weights[weights.count - 1]
            weights[weights.count - 1] = weight
        }
        for tap in weights.indices {
            weights[tap] = abs(sum) < 1e-9 ? 1 / Double(weights.count) : weights[tap] / sum
        }
    }

    /// Rounds the weights so that the `count` weights of each output sample still add up to 1. The largest weight takes
    /// the remainder, because it changes least in proportion.
    private static func quantized(_ weights: [Double], _ count: Int, one: Int) -> [Int16] {
        // Rounds to the nearest number. `Int` drops the fraction, so it rounds positive numbers down but negative
        // numbers up. Therefore 2 is added first, and is subtracted at the end. A weight below −2 is rounded wrongly,
        // but is limited to 16 bits anyway.
        func nearest(_ weight: Double) -> Int { Int((weight + 2) * Double(one) + 0.5) - 2 * one }
        return [Int16](unsafeUninitializedCapacity: weights.count) { rounded, roundedCount in
            roundedCount = weights.count
            for start in stride(from: 0, to: weights.count, by: count) {
                var (largest, rest) = (start, one)
                for index in start..<start + count {
                    rest -= nearest(weights[index])
                    rounded.initializeElement(at: index, to: Int16(clamping: nearest(weights[index])))
                    if weights[index] > weights[largest] { largest = index }
                }
                rounded[largest] = Int16(clamping: nearest(weights[largest]) + rest)
            }
        }
    }
}

extension TapTable {
    /// The correction that is added to each sum of products. Only the upper 16 bits of each product of 32 bits are
    /// added up. Dropping the lower bits makes each product too small by half a unit on average. So the correction is
    /// half of the mean number of products.
    var truncationBias: Int16 { Int16(clamping: Int((meanContributors / 2).rounded())) }
}
