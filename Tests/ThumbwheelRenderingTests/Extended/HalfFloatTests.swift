#if !(os(macOS) && arch(x86_64))
import Testing

@testable import ThumbwheelRendering

@Suite struct HalfFloatTests {
    @Test("every finite half float has the value of the standard's, and comes back from it")
    func everyPattern() {
        for bits in UInt16.min...UInt16.max {
            let half = Float16(bitPattern: bits)
            guard half.isFinite else { continue }
            #expect(HalfFloat.value(bits) == Float(half))
            #expect(HalfFloat.bits(Float(half)) == bits)
        }
    }

    @Test("a number becomes the nearest half float, and of two the even one")
    func rounding() {
        var random = SplitMix(state: 7)
        for _ in 0..<200_000 {
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            guard value.isFinite, value.magnitude < 65504 else { continue }
            #expect(HalfFloat.bits(value) == Float16(value).bitPattern, "\(value)")
        }
        for bits in UInt16(0)..<0x7BFF {
            let middle = (Float(Float16(bitPattern: bits)) + Float(Float16(bitPattern: bits + 1))) / 2
            #expect(HalfFloat.bits(middle) == Float16(middle).bitPattern)
        }
    }

    @Test("numbers beyond the range become the largest of their sign")
    func saturation() {
        #expect(HalfFloat.bits(1e9) == 0x7BFF)
        #expect(HalfFloat.bits(-65520) == 0xFBFF)
        #expect(HalfFloat.bits(.infinity) == 0x7BFF)
    }
}
#endif
