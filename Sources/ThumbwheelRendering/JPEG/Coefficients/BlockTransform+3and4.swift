/// The constant factors of the transforms to 3×3 and 4×4 samples: 1.306563, 0.541196, 1.224745 and 0.707107. Each is
/// stored minus 1, with 16 fractional bits, so that it fits into 16 bits; `times` adds the 1 back.
private let fractions = FixedFactors(
    20091, Int16(truncatingIfNeeded: 35468 - 65536), 14729, Int16(truncatingIfNeeded: 46341 - 65536))

extension BlockTransform {
    @inline(__always)
    private func times(_ value: Eight, _ fraction: Eight) -> Eight {
        value &+ upperHalf(value, fraction)
    }

    /// Transforms four coefficients of a row or column into four samples, in eight blocks at once. The first two of
    /// `factors` are √2 cos(π/8) and √2 cos(3π/8).
    @inline(__always)
    private func four(_ a: Eight, _ b: Eight, _ c: Eight, _ d: Eight, _ factors: FixedFactors) -> (
        Eight, Eight, Eight, Eight
    ) {
        let even = a &+ c
        let odd = a &- c
        let wide = times(b, factors[0]) &+ times(d, factors[1])
        let narrow = times(b, factors[1]) &- times(d, factors[0])
        return (even &+ wide, odd &+ narrow, odd &- narrow, even &- wide)
    }

    @inline(__always)
    private func three(_ a: Eight, _ b: Eight, _ c: Eight, _ factors: FixedFactors) -> (Eight, Eight, Eight) {
        let half = times(c, factors[3])
        let odd = times(b, factors[2])
        let even = a &+ half
        return (even &+ odd, a &- half &- half, even &- odd)
    }

    @inline(__always)
    func transform3(
        _ source: UnsafeRawPointer, _ stride: Int, _ target: UnsafeMutableRawPointer, _ pitch: Int
    ) {
        let factors = fractions
        @inline(__always) func column(_ index: Int) -> (Eight, Eight, Eight) {
            three(
                coefficient(index, source, stride) &<< 3, coefficient(index &+ 3, source, stride) &<< 3,
                coefficient(index &+ 6, source, stride) &<< 3, factors)
        }
        let (a0, a1, a2) = column(0)
        let (b0, b1, b2) = column(1)
        let (c0, c1, c2) = column(2)
        @inline(__always) func row(_ a: Eight, _ b: Eight, _ c: Eight, _ target: UnsafeMutableRawPointer) {
            let (first, second, third) = three(a, b, c, factors)
            // `put` stores four samples for each block, although a row of the block has only three. The fourth is a
            // zero, which the next block's first sample overwrites.
            let (one, two) = (mixed(first &>> 1, second &>> 1), mixed(third &>> 1, .zero))
            @inline(__always) func put(_ blocks: Eight, _ target: UnsafeMutableRawPointer) {
                let words = unsafeBitCast(blocks, to: SIMD2<UInt64>.self)
                target.storeBytes(of: words[0], as: UInt64.self)
                target.storeBytes(of: words[1], toByteOffset: 6, as: UInt64.self)
            }
            let (left, right) = (mixedPairs(one.lower, two.lower), mixedPairs(one.upper, two.upper))
            put(left.lower, target)
            put(left.upper, target + 12)
            put(right.lower, target + 24)
            put(right.upper, target + 36)
        }
        row(a0, b0, c0, target)
        row(a1, b1, c1, target + pitch)
        row(a2, b2, c2, target + pitch &* 2)
    }

    @inline(__always)
    func transform4(
        _ source: UnsafeRawPointer, _ stride: Int, _ target: UnsafeMutableRawPointer, _ pitch: Int
    ) {
        let factors = fractions
        @inline(__always) func column(_ index: Int) -> (Eight, Eight, Eight, Eight) {
            four(
                coefficient(index, source, stride) &<< 3, coefficient(index &+ 4, source, stride) &<< 3,
                coefficient(index &+ 8, source, stride) &<< 3, coefficient(index &+ 12, source, stride) &<< 3, factors)
        }
        let (a0, a1, a2, a3) = column(0)
        let (b0, b1, b2, b3) = column(1)
        let (c0, c1, c2, c3) = column(2)
        let (d0, d1, d2, d3) = column(3)
        @inline(__always) func row(_ a: Eight, _ b: Eight, _ c: Eight, _ d: Eight, _ target: UnsafeMutableRawPointer) {
            let (first, second, third, fourth) = four(a, b, c, d, factors)
            let (one, two) = (mixed(first &>> 1, second &>> 1), mixed(third &>> 1, fourth &>> 1))
            let (left, right) = (mixedPairs(one.lower, two.lower), mixedPairs(one.upper, two.upper))
            target.storeBytes(of: left.lower, as: Eight.self)
            target.storeBytes(of: left.upper, toByteOffset: 16, as: Eight.self)
            target.storeBytes(of: right.lower, toByteOffset: 32, as: Eight.self)
            target.storeBytes(of: right.upper, toByteOffset: 48, as: Eight.self)
        }
        row(a0, b0, c0, d0, target)
        row(a1, b1, c1, d1, target + pitch)
        row(a2, b2, c2, d2, target + pitch &* 2)
        row(a3, b3, c3, d3, target + pitch &* 3)
    }
}
