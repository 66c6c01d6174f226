/// Turns sums of 8-bit samples into their means, in fixed point.
struct MeanScale {
    /// The factor takes 16 bits, so that eight products take two multiplications of eight 16-bit numbers.
    private let factor: UInt32
    /// The level of zero, and a half that makes the mean round to the nearest number.
    private let offset: Int
    /// The number of fractional bits of a product.
    private let places: Int

    /// - Parameter count: the number of samples in a sum, at most 65 536.
    init(_ range: SampleRange, count: Int) {
        precondition(1...65536 ~= count && range.bitsPerSample == 8)
        // The factor for one sample is 32 in full range, and less than 40 in video range. With ten fractional bits it is
        // less than 65 536, and exact in full range. For twice as many samples it is half as large.
        places = 10 + count.bitWidth - 1 - count.leadingZeroBitCount
        let unit = Double(1 << places)
        factor = UInt32((Double(range.factor(count: count)) * unit).rounded())
        offset = Int(((Double(range.offset) + 0.5) * unit).rounded())
    }

    @inline(__always)
    func mean(ofSum sum: Int) -> PlaneSample {
        PlaneSample(truncatingIfNeeded: (sum &* Int(truncatingIfNeeded: factor) &+ offset) &>> places)
    }

    /// Returns the means of eight sums of at most 16 samples each.
    @inline(__always)
    func means(ofSums sums: SIMD8<UInt16>) -> SIMD8<PlaneSample> {
        let products = lanes(sums, as: UInt32.self) &* SIMD8(repeating: factor)
        let raised =
            unsafeBitCast(products, to: SIMD8<Int32>.self) &+ SIMD8(repeating: Int32(truncatingIfNeeded: offset))
        return lanes(raised &>> SIMD8(repeating: Int32(truncatingIfNeeded: places)), as: PlaneSample.self)
    }
}
