// The operations that Swift's SIMD types compile to single instructions. Comparisons, clamps and conversions to and from
// floating point do not, as of 6.3, which is why clamping is done with shifts.

/// The lanes of a vector in another width.
///
/// The standard library's `init(truncatingIfNeeded:)` says the same, but where a module uses it often the compiler calls it
/// instead of inlining it, which costs more than all the arithmetic around it.
@inline(__always)
func lanes<From: FixedWidthInteger & SIMDScalar, To: FixedWidthInteger & SIMDScalar>(
    _ value: SIMD8<From>, as _: To.Type
) -> SIMD8<To> {
    SIMD8<To>(
        To(truncatingIfNeeded: value[0]), To(truncatingIfNeeded: value[1]), To(truncatingIfNeeded: value[2]),
        To(truncatingIfNeeded: value[3]), To(truncatingIfNeeded: value[4]), To(truncatingIfNeeded: value[5]),
        To(truncatingIfNeeded: value[6]), To(truncatingIfNeeded: value[7]))
}

/// The upper 16 bits of each product.
@inline(__always)
func upperHalf(_ left: SIMD8<Int16>, _ right: SIMD8<Int16>) -> SIMD8<Int16> {
    lanes((lanes(left, as: Int32.self) &* lanes(right, as: Int32.self)) &>> 16, as: Int16.self)
}

/// Values with 6 binary places as bytes, 0 for those below and 255 for those above.
@inline(__always)
func clampedBytes(_ values: SIMD8<Int16>) -> SIMD8<UInt8> {
    let whole = values &>> 6
    let positive = whole & ~(whole &>> 15)
    return lanes((positive | ((255 &- positive) &>> 15)) & 255, as: UInt8.self)
}

/// Four rows of four 16-bit samples as four columns.
@inline(__always)
func transposed4x4(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) -> (UInt64, UInt64, UInt64, UInt64) {
    let low: UInt64 = 0x0000_0000_FFFF_FFFF
    let even: UInt64 = 0x0000_FFFF_0000_FFFF
    let a1 = a & low | c &<< 32
    let c1 = a &>> 32 | c & ~low
    let b1 = b & low | d &<< 32
    let d1 = b &>> 32 | d & ~low
    return (
        a1 & even | (b1 & even) &<< 16, (a1 &>> 16) & even | b1 & ~even, c1 & even | (d1 & even) &<< 16,
        (c1 &>> 16) & even | d1 & ~even
    )
}

/// Eight rows of eight bytes, one after the other, as rows `pitch` bytes apart that were its columns.
@inline(__always)
func transpose8x8(_ source: UnsafeMutableRawPointer, into target: UnsafeMutableRawPointer, pitch: Int) {
    @inline(__always) func row(_ index: Int) -> UInt64 { source.load(fromByteOffset: index &* 8, as: UInt64.self) }
    @inline(__always) func exchanged(_ a: UInt64, _ b: UInt64, _ mask: UInt64, _ shift: UInt64) -> (UInt64, UInt64) {
        (a & mask | (b & mask) &<< shift, (a &>> shift) & mask | b & ~mask)
    }
    @inline(__always) func store(_ value: UInt64, _ index: Int) {
        target.storeBytes(of: value, toByteOffset: index &* pitch, as: UInt64.self)
    }
    let fours: UInt64 = 0x0000_0000_FFFF_FFFF
    let twos: UInt64 = 0x0000_FFFF_0000_FFFF
    let ones: UInt64 = 0x00FF_00FF_00FF_00FF
    let (a0, a4) = exchanged(row(0), row(4), fours, 32)
    let (a1, a5) = exchanged(row(1), row(5), fours, 32)
    let (a2, a6) = exchanged(row(2), row(6), fours, 32)
    let (a3, a7) = exchanged(row(3), row(7), fours, 32)
    let (b0, b2) = exchanged(a0, a2, twos, 16)
    let (b1, b3) = exchanged(a1, a3, twos, 16)
    let (b4, b6) = exchanged(a4, a6, twos, 16)
    let (b5, b7) = exchanged(a5, a7, twos, 16)
    let (c0, c1) = exchanged(b0, b1, ones, 8)
    let (c2, c3) = exchanged(b2, b3, ones, 8)
    let (c4, c5) = exchanged(b4, b5, ones, 8)
    let (c6, c7) = exchanged(b6, b7, ones, 8)
    store(c0, 0)
    store(c1, 1)
    store(c2, 2)
    store(c3, 3)
    store(c4, 4)
    store(c5, 5)
    store(c6, 6)
    store(c7, 7)
}

/// Eight rows of eight 16-bit samples as eight columns, one after the other.
///
/// - Parameter isWhole: false where the first four are enough.
@inline(__always)
func transpose8x8(
    _ a: SIMD8<Int16>, _ b: SIMD8<Int16>, _ c: SIMD8<Int16>, _ d: SIMD8<Int16>, _ e: SIMD8<Int16>, _ f: SIMD8<Int16>,
    _ g: SIMD8<Int16>, _ h: SIMD8<Int16>, into target: UnsafeMutablePointer<SIMD8<Int16>>, isWhole: Bool
) {
    @inline(__always) func lower(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
        SIMD8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3])
    }
    @inline(__always) func upper(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
        SIMD8(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
    }
    /// The columns of eight rows whose halves have been mixed once: two more perfect shuffles.
    @inline(__always) func store(
        _ a: SIMD8<Int16>, _ b: SIMD8<Int16>, _ c: SIMD8<Int16>, _ d: SIMD8<Int16>,
        _ target: UnsafeMutablePointer<SIMD8<Int16>>
    ) {
        let (a1, b1, c1, d1) = (lower(a, c), upper(a, c), lower(b, d), upper(b, d))
        target[0] = lower(a1, c1)
        target[1] = upper(a1, c1)
        target[2] = lower(b1, d1)
        target[3] = upper(b1, d1)
    }
    store(lower(a, e), lower(b, f), lower(c, g), lower(d, h), target)
    if isWhole { store(upper(a, e), upper(b, f), upper(c, g), upper(d, h), target + 4) }
}
