/// The conversion between `Float` and half floats (IEEE 754 binary16).
///
/// It is written with integers, because `Float16` does not exist on every platform, and because the processors that this
/// library is compiled for by default convert it by a function call for each number.
enum HalfFloat {
    /// The largest finite number.
    static let greatest: Float = 65504

    /// The bits of the nearest half float; of two that are equally near, the even one. Numbers beyond the range become
    /// the largest finite number of their sign.
    @inline(__always)
    static func bits(_ value: Float) -> UInt16 {
        let sign = UInt16(truncatingIfNeeded: value.bitPattern &>> 16) & 0x8000
        let magnitude = min(value.magnitude, greatest).bitPattern
        // Below 2⁻¹⁴ the steps have the constant size 2⁻²⁴, which is the size of the steps of `Float` from 0.5 on.
        guard magnitude >= 0x3880_0000 else {
            let raised = (Float(bitPattern: magnitude) + 0.5).bitPattern
            return sign | UInt16(truncatingIfNeeded: raised &- 0x3F00_0000)
        }
        // The exponent is offset by 112, and 13 bits are rounded away.
        let rounded = magnitude &+ 0xFFF &+ (magnitude &>> 13 & 1) &- 112 &<< 23
        return sign | UInt16(truncatingIfNeeded: rounded &>> 13)
    }

    /// The value of a half float. Infinities and NaN, which this library never writes, become large finite numbers.
    @inline(__always)
    static func value(_ bits: UInt16) -> Float {
        // The bits are shifted to the exponent's place, where they mean 2⁻¹¹² of the value.
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
