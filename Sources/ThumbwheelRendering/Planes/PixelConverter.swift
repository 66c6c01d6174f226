/// Converts luma and chroma at full range to red, green and blue, eight pixels at a time.
enum PixelConverter {
    typealias Eight = SIMD8<Int16>

    /// Returns red, green and blue of eight pixels, as samples from 0 to `PlaneSample.span`. If `isMixed` is false, the
    /// three planes are not luma and chroma but colours already.
    @inline(__always)
    static func converted(
        _ luma: UnsafePointer<PlaneSample>, _ blueness: UnsafePointer<PlaneSample>,
        _ redness: UnsafePointer<PlaneSample>, at x: Int, isMixed: Bool, _ factors: FixedFactors
    ) -> (Eight, Eight, Eight) {
        let y = loaded(luma, x)
        let cb = loaded(blueness, x)
        let cr = loaded(redness, x)
        guard isMixed else { return (clamped(y), clamped(cb), clamped(cr)) }
        let colours = colours(y, cb, cr, factors)
        return (clamped(colours.0), clamped(colours.1), clamped(colours.2))
    }

    /// Converts luma and chroma, both centred on 0, to red, green and blue. The colours may lie outside the range of
    /// samples.
    ///
    /// - Parameter factors: the `factors` of a `LumaMatrix`.
    @inline(__always)
    static func colours(_ y: Eight, _ cb: Eight, _ cr: Eight, _ factors: FixedFactors) -> (Eight, Eight, Eight) {
        // Chroma is doubled to make up for the halving of the factors. A factor has 16 signed bits, in units of
        // 1/65536, so it must be less than a half. Some factors are larger, so all are stored halved.
        let (blueness, redness) = (cb &+ cb, cr &+ cr)
        return (
            y &+ cr &+ upperHalf(redness, factors[0]),
            y &- upperHalf(blueness, factors[1]) &- upperHalf(redness, factors[2]),
            y &+ cb &+ upperHalf(blueness, factors[3])
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

    /// Rounds clamped samples to whole numbers from 0 to 255.
    @inline(__always)
    static func rounded(_ value: Eight) -> Eight {
        (value &+ 1 &<< (PlaneSample.binaryPlaces &- 1)) &>> PlaneSample.binaryPlaces
    }
}
