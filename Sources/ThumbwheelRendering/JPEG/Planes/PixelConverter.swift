/// Luma and chroma to red, green and blue (JFIF 1.02: ITU-R BT.601 at full range), eight pixels at a time.
enum PixelConverter {
    typealias Eight = SIMD8<Int16>

    /// Red, green and blue of eight pixels, as samples from 0 to `PlaneSample.span`.
    @inline(__always)
    static func converted(
        _ luma: UnsafePointer<PlaneSample>, _ blueness: UnsafePointer<PlaneSample>,
        _ redness: UnsafePointer<PlaneSample>, at x: Int, isRGB: Bool, _ factors: FixedFactors
    ) -> (Eight, Eight, Eight) {
        let y = loaded(luma, x)
        let cb = loaded(blueness, x)
        let cr = loaded(redness, x)
        if isRGB { return (clamped(y), clamped(cb), clamped(cr)) }
        let colours = colours(y, cb, cr, factors)
        return (clamped(colours.0), clamped(colours.1), clamped(colours.2))
    }

    /// 1.402, 0.714136, 0.344136 and 1.772 by their distance from whole numbers.
    static let factors = FixedFactors(26345, 18734, 22554, 14942)

    /// Of luma and chroma around 0: colours that may lie outside of the samples' range.
    @inline(__always)
    static func colours(_ y: Eight, _ cb: Eight, _ cr: Eight, _ factors: FixedFactors) -> (Eight, Eight, Eight) {
        (
            y &+ cr &+ upperHalf(cr, factors[0]),
            y &- cr &+ upperHalf(cr, factors[1]) &- upperHalf(cb, factors[2]),
            y &+ cb &+ cb &- upperHalf(cb, factors[3])
        )
    }

    @inline(__always)
    static func loaded(_ samples: UnsafePointer<PlaneSample>, _ x: Int) -> Eight {
        UnsafeRawPointer(samples + x).loadUnaligned(as: Eight.self)
    }

    @inline(__always)
    static func clamped(_ value: Eight) -> Eight {
        let raised = value &+ 128 &<< PlaneSample.binaryPlaces
        let positive = raised & ~(raised &>> 15)
        let below = PlaneSample.span &- positive
        return PlaneSample.span &- (below & ~(below &>> 15))
    }

    /// Clamped samples as whole ones from 0 to 255.
    @inline(__always)
    static func rounded(_ value: Eight) -> Eight {
        (value &+ 1 &<< (PlaneSample.binaryPlaces &- 1)) &>> PlaneSample.binaryPlaces
    }
}
