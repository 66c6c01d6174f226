/// The conversion between `Float` and half floats (IEEE 754 binary16).
///
/// The conversion uses integer operations for two reasons:
/// - `Float16` does not exist on every platform.
/// - By default, this library is compiled for processors without an instruction that converts `Float16`. The conversion
///   of each number would cost a function call.
enum HalfFloat {
    /// The largest finite number.
    static let greatest: Float = 65504

    /// The bits of the nearest half float. If two are equally near, the even one is taken. Numbers beyond the range
    /// become the largest finite number of their sign.
    @inline(__always)
    static func bits(_ value: Float) -> UInt16 {
        let sign = UInt16(truncatingIfNeeded: value.bitPattern &>> 16) & 0x8000
        let magnitude = min(value.magnitude, greatest).bitPattern
        // Rounds a number below 2⁻¹⁴ by adding 0.5. In this range, half floats are the multiples of 2⁻²⁴. From 0.5 to
        // 1, the numbers of `Float` are multiples of 2⁻²⁴ as well, so the sum is rounded to such a multiple.
        guard magnitude >= 0x3880_0000 else {
            let raised = (Float(bitPattern: magnitude) + 0.5).bitPattern
            return sign | UInt16(truncatingIfNeeded: raised &- 0x3F00_0000)
        }
        // Converts the exponent and rounds the fraction. The exponent is reduced by 112, because its bias is 127 in a
        // `Float` and 15 in a half float. The fraction of a half float is shorter by 13 bits, which the shift below
        // drops. Adding 0xFFF and the lowest remaining bit first makes the shift round to the nearest number, and ties
        // to even.
        let rounded = magnitude &+ 0xFFF &+ (magnitude &>> 13 & 1) &- 112 &<< 23
        return sign | UInt16(truncatingIfNeeded: rounded &>> 13)
    }

    /// The value of a half float. Infinities and NaN, which this library never writes, become large finite numbers.
    @inline(__always)
    static func value(_ bits: UInt16) -> Float {
        // The bits are shifted to the place of a `Float`'s exponent, where they stand for the value times 2⁻¹¹².
        let magnitude = Float(bitPattern: UInt32(bits & 0x7FFF) &<< 13) * 0x1p112
        return bits & 0x8000 == 0 ? magnitude : -magnitude
    }

    /// The half floats of a pixel in memory order, red in the lowest bits.
    @inline(__always)
    static func pixel(_ color: SIMD4<Float>) -> UInt64 {
        let (red, green) = (UInt64(bits(color.x)), UInt64(bits(color.y)))
        let (blue, alpha) = (UInt64(bits(color.z)), UInt64(bits(color.w)))
        return (red | green &<< 16 | blue &<< 32 | alpha &<< 48).littleEndian
    }

    /// The colour of a pixel whose bytes begin at `place`.
    @inline(__always)
    static func color(at place: UnsafeRawPointer) -> SIMD4<Float> {
        let word = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
        return SIMD4(
            value(UInt16(truncatingIfNeeded: word)), value(UInt16(truncatingIfNeeded: word &>> 16)),
            value(UInt16(truncatingIfNeeded: word &>> 32)), value(UInt16(truncatingIfNeeded: word &>> 48)))
    }
}
