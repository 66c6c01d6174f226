// The functions in this file use only operations on Swift's SIMD types that compile to single instructions, as of Swift
// 6.3. Conversions to and from floating point are left out, because they do not compile to single instructions.
// Comparisons are used only as the condition of `replacing(with:where:)`, because they compile to single instructions
// only there.

/// Converts the elements of a vector to integers of another width.
///
/// The standard library's `init(truncatingIfNeeded:)` does the same. But if a module uses it often, the compiler calls
/// it instead of inlining it, and the call takes more time than all the arithmetic around it.
@inline(__always)
func lanes<From: FixedWidthInteger & SIMDScalar, To: FixedWidthInteger & SIMDScalar>(
    _ value: SIMD8<From>, as _: To.Type
) -> SIMD8<To> {
    SIMD8<To>(
        To(truncatingIfNeeded: value[0]), To(truncatingIfNeeded: value[1]), To(truncatingIfNeeded: value[2]),
        To(truncatingIfNeeded: value[3]), To(truncatingIfNeeded: value[4]), To(truncatingIfNeeded: value[5]),
        To(truncatingIfNeeded: value[6]), To(truncatingIfNeeded: value[7]))
}

extension SIMD8<Int16> {
    /// Limits each element to the range between two bounds, in two instructions.
    @inline(__always)
    func limited(_ least: Self, _ most: Self) -> Self {
        let below = replacing(with: most, where: self .> most)
        return below.replacing(with: least, where: below .< least)
    }
}

/// Returns the upper 16 bits of the product of each pair of elements.
@inline(__always)
func upperHalf(_ left: SIMD8<Int16>, _ right: SIMD8<Int16>) -> SIMD8<Int16> {
    lanes((lanes(left, as: Int32.self) &* lanes(right, as: Int32.self)) &>> 16, as: Int16.self)
}

/// Converts fixed-point values with `places` fractional bits to bytes, by cutting off their fractions. Values out of
/// range become 0 or 255.
@inline(__always)
func clampedBytes(_ values: SIMD8<Int16>, places: Int16 = 6) -> SIMD8<UInt8> {
    lanes((values &>> places).limited(.zero, SIMD8(repeating: 255)), as: UInt8.self)
}

/// Transposes eight rows of eight bytes that lie one after the other. The resulting rows are stored `pitch` bytes
/// apart.
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

/// Interleaves the elements of two vectors. `lower` is made from the lower halves of both, and `upper` from their upper
/// halves. Each of the two results takes one instruction.
@inline(__always)
func mixed(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> (lower: SIMD8<Int16>, upper: SIMD8<Int16>) {
    (
        SIMD8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]),
        SIMD8(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
    )
}

/// Interleaves two vectors by pairs of elements: first a pair of `a`, then a pair of `b`. `lower` is made from the
/// lower halves of both, and `upper` from their upper halves.
@inline(__always)
func mixedPairs(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> (lower: SIMD8<Int16>, upper: SIMD8<Int16>) {
    let a = unsafeBitCast(a, to: SIMD4<UInt32>.self)
    let b = unsafeBitCast(b, to: SIMD4<UInt32>.self)
    return (
        unsafeBitCast(SIMD4(a[0], b[0], a[1], b[1]), to: SIMD8<Int16>.self),
        unsafeBitCast(SIMD4(a[2], b[2], a[3], b[3]), to: SIMD8<Int16>.self)
    )
}

/// Joins the lower halves of two vectors to one vector, and their upper halves to another.
@inline(__always)
func mixedHalves(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> (lower: SIMD8<Int16>, upper: SIMD8<Int16>) {
    let a = unsafeBitCast(a, to: SIMD2<UInt64>.self)
    let b = unsafeBitCast(b, to: SIMD2<UInt64>.self)
    return (
        unsafeBitCast(SIMD2(a[0], b[0]), to: SIMD8<Int16>.self),
        unsafeBitCast(SIMD2(a[1], b[1]), to: SIMD8<Int16>.self)
    )
}

/// Transposes eight rows of eight 16-bit samples; the columns are stored one after the other.
///
/// - Parameter needsAllColumns: false if only the first four columns are needed.
@inline(__always)
func transpose8x8(
    _ a: SIMD8<Int16>, _ b: SIMD8<Int16>, _ c: SIMD8<Int16>, _ d: SIMD8<Int16>, _ e: SIMD8<Int16>, _ f: SIMD8<Int16>,
    _ g: SIMD8<Int16>, _ h: SIMD8<Int16>, into target: UnsafeMutablePointer<SIMD8<Int16>>, needsAllColumns: Bool
) {
    let (ab, cd, ef, gh) = (mixed(a, b), mixed(c, d), mixed(e, f), mixed(g, h))
    @inline(__always) func store(
        _ ab: SIMD8<Int16>, _ cd: SIMD8<Int16>, _ ef: SIMD8<Int16>, _ gh: SIMD8<Int16>,
        _ target: UnsafeMutablePointer<SIMD8<Int16>>
    ) {
        let abcd = mixedPairs(ab, cd)
        let efgh = mixedPairs(ef, gh)
        (target[0], target[1]) = mixedHalves(abcd.lower, efgh.lower)
        (target[2], target[3]) = mixedHalves(abcd.upper, efgh.upper)
    }
    store(ab.lower, cd.lower, ef.lower, gh.lower, target)
    if needsAllColumns { store(ab.upper, cd.upper, ef.upper, gh.upper, target + 4) }
}
