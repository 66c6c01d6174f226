/// The range of the values of a decoder's samples, and the numbers that convert the samples to `PlaneSample`
/// (fixed-point 8-bit levels around middle grey). Samples have 8 to 16 bits. They use the full range of values, or
/// video range, which leaves room below black and above white.
struct SampleRange: Equatable {
    let bitsPerSample: Int
    /// The value of a sample that means black in luma, or no colour in chroma.
    let zero: Int
    /// The number of 8-bit levels in one step of a sample's value; a fraction if samples have more than 8 bits. There
    /// are 255 levels from black to white.
    let levelsPerStep: Double
    /// The level of a sample with the value `zero`, counted from middle grey in 8-bit levels: -128 for luma, 0 for
    /// chroma.
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

    /// The factor that converts the sum of `count` samples to their mean as a `PlaneSample`: a fixed-point number in
    /// 8-bit levels with `PlaneSample.binaryPlaces` fractional bits, where 0 is middle grey or no colour. The mean is
    /// the sum times this factor, plus `offset`.
    func factor(count: Int) -> Float {
        Float(levelsPerStep * Double(1 << PlaneSample.binaryPlaces) / Double(count))
    }

    var offset: Float {
        Float((zeroLevel - Double(zero) * levelsPerStep) * Double(1 << PlaneSample.binaryPlaces))
    }
}
