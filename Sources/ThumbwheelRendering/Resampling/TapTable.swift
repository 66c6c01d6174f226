/// Which input samples make each output sample along one axis, and their weights.
///
/// Every output sample has the same number of taps, so that inner loops need no bounds; those outside the kernel weigh 0.
final class TapTable: Sendable {
    struct Key: Hashable, Sendable {
        /// The source interval, in input samples.
        var start: Double
        var length: Double
        var inputCount: Int
        var outputCount: Int
    }

    /// Taps of one output sample.
    let count: Int
    /// The first input sample of each output sample.
    let first: [Int]
    /// `count` weights for each output sample; each sample's add up to 1.
    let weights: [Float]
    /// The same in `fixedPlaces` binary places, adding up to exactly 1 except where a single tap is all there is.
    let fixedWeights: [Int16]
    /// 15, or 14 where a weight exceeds 1, as it may where the image's edge cuts the kernel off.
    let fixedPlaces: Int
    /// Weights per output sample that are not 0, on average: what the rounding error of a fixed-point sum depends on.
    let meanContributors: Double

    /// Input samples that any output sample needs.
    var inputRange: Range<Int> { first[0]..<first[first.count - 1] + count }

    init(_ key: Key) {
        let step = key.length / Double(key.outputCount)
        // Where the image is reduced the kernel is stretched over the input samples of one output sample.
        let stretch = max(1, step)
        let reach = Lanczos3.support * stretch
        var spans: [(start: Int, weights: [Double])] = []
        spans.reserveCapacity(key.outputCount)
        for index in 0..<key.outputCount {
            let centre = key.start + (Double(index) + 0.5) * step
            let lower = min(max(0, Int((centre - reach + 0.5).rounded(.down))), key.inputCount - 1)
            let upper = max(lower + 1, min(key.inputCount, Int((centre + reach + 0.5).rounded(.down))))
            var weights = (lower..<upper).map { Lanczos3.weight(at: (Double($0) + 0.5 - centre) / stretch) }
            let sum = weights.reduce(0, +)
            if abs(sum) < 1e-9 {
                weights = weights.map { _ in 1 / Double(upper - lower) }
            } else {
                for tap in weights.indices { weights[tap] /= sum }
            }
            spans.append((lower, weights))
        }
        let count = spans.reduce(0) { max($0, $1.weights.count) }
        let largest = spans.reduce(0) { max($0, $1.weights.max() ?? 0) }
        let one = largest > 1 ? 16384 : 32768
        var first: [Int] = []
        var all: [Float] = []
        var fixed: [Int16] = []
        first.reserveCapacity(spans.count)
        all.reserveCapacity(spans.count * count)
        fixed.reserveCapacity(spans.count * count)
        var contributors = 0
        for span in spans {
            let start = min(span.start, key.inputCount - count)
            let lead = span.start - start
            let tail = count - lead - span.weights.count
            let padded = Array(repeating: 0, count: lead) + span.weights + Array(repeating: 0, count: tail)
            first.append(start)
            all.append(contentsOf: padded.lazy.map(Float.init))
            fixed.append(contentsOf: Self.quantized(padded, one: one))
            contributors += padded.reduce(0) { $0 + ($1 == 0 ? 0 : 1) }
        }
        self.count = count
        self.first = first
        self.weights = all
        self.fixedWeights = fixed
        fixedPlaces = one == 32768 ? 15 : 14
        meanContributors = Double(contributors) / Double(spans.count)
    }

    /// Rounds so that the sum stays 1: the largest weight takes the rest, where it is felt least.
    private static func quantized(_ weights: [Double], one: Int) -> [Int16] {
        var rounded = weights.map { Int(($0 * Double(one)).rounded()) }
        var largest = 0
        for index in rounded.indices where rounded[index] > rounded[largest] { largest = index }
        rounded[largest] += one - rounded.reduce(0, +)
        return rounded.map { Int16(clamping: $0) }
    }
}
