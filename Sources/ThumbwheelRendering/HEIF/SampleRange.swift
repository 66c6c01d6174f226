/// The way from a decoder's samples to `PlaneSample`: samples of any depth, over all their values or between a video's
/// black and white.
struct SampleRange: Equatable {
    let bitsPerSample: Int
    /// The sample that stands for 0: black, or no colour.
    let zero: Int
    /// Levels, of 255 from black to white, for one step of a sample.
    let levelsPerStep: Double
    /// The level of `zero` around the middle grey: -128 for luma, 0 for chroma.
    let zeroLevel: Double

    init(bitsPerSample bits: Int, isFullRange: Bool, isChroma: Bool) {
        precondition(8...16 ~= bits)
        bitsPerSample = bits
        let unit = 1 << (bits - 8)
        if isChroma {
            zero = 128 * unit
            zeroLevel = 0
            levelsPerStep = isFullRange ? 255 / Double(256 * unit - 1) : 255 / Double(224 * unit)
        } else {
            zero = isFullRange ? 0 : 16 * unit
            zeroLevel = -128
            levelsPerStep = isFullRange ? 255 / Double(256 * unit - 1) : 255 / Double(219 * unit)
        }
    }

    /// A sum of `count` samples times this factor, plus `offset`, is a `PlaneSample`.
    func factor(count: Int) -> Float {
        Float(levelsPerStep * Double(1 << PlaneSample.binaryPlaces) / Double(count))
    }

    var offset: Float {
        Float((zeroLevel - Double(zero) * levelsPerStep) * Double(1 << PlaneSample.binaryPlaces))
    }
}
