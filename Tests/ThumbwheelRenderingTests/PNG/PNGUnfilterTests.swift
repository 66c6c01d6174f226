import Testing

@testable import ThumbwheelRendering

@Suite("PNG: filters")
struct PNGUnfilterTests {
    @Test("the predictor of lanes is the standard's, for all that three bytes can be")
    func paeth() {
        for left in 0..<256 {
            for upper in 0..<256 {
                // Sixteen at once.
                for first in stride(from: 0, to: 256, by: 16) {
                    let corner = SIMD16<UInt8>(truncatingIfNeeded: SIMD16<Int>((0..<16).map { first + $0 }))
                    let made = ThumbwheelRendering.paeth(
                        SIMD16(repeating: UInt8(left)), SIMD16(repeating: UInt8(upper)), corner)
                    for lane in 0..<16 {
                        let third = first + lane
                        let (pa, pb) = (abs(upper - third), abs(left - third))
                        let pc = abs(left + upper - 2 * third)
                        let expected = pa <= pb && pa <= pc ? left : pb <= pc ? upper : third
                        if Int(made[lane]) != expected { Issue.record("\(left), \(upper), \(third)") }
                    }
                }
            }
        }
    }

    @Test("groups of four are what rows one by one are, at every distance and width", arguments: [UInt64(1), 2, 3])
    func groups(seed: UInt64) {
        var random = SplitMix(state: seed)
        for distance in [1, 2, 3, 4, 6, 8] {
            for width in [1, 2, 3, 4, 5, 6, 17, 40] {
                let byteCount = width * distance
                let (four, one) = (
                    PNGUnfilter(byteCount: byteCount, distance: distance),
                    PNGUnfilter(byteCount: byteCount, distance: distance)
                )
                for _ in 0..<6 {
                    let pitch = byteCount + 1
                    var scanlines = (0..<4 * pitch + PNGUnfilter.slack).map { _ in UInt8(random.next() & 255) }
                    // All of one kind, or a mixture.
                    let kind = UInt8(random.next() % 7)
                    for row in 0..<4 { scanlines[row * pitch] = kind < 5 ? kind : UInt8(random.next() % 5) }
                    #expect(four.take(scanlines, pitch: pitch, count: 4) == 4)
                    for row in 0..<4 {
                        #expect(one.take(Array(scanlines[(row * pitch)...]), pitch: pitch, count: 1) == 1)
                        let expected = Array(UnsafeBufferPointer(start: one.line(0), count: byteCount))
                        let made = Array(UnsafeBufferPointer(start: four.line(row), count: byteCount))
                        #expect(made == expected, "seed \(seed), \(width) pixels of \(distance) bytes, row \(row)")
                    }
                }
            }
        }
    }

    @Test("a filter type without a meaning ends a group")
    func unknown() {
        let unfilter = PNGUnfilter(byteCount: 6, distance: 3)
        for bad in 0..<4 {
            var scanlines = [UInt8](repeating: 0, count: 4 * 7 + PNGUnfilter.slack)
            scanlines[bad * 7] = 5
            #expect(unfilter.take(scanlines, pitch: 7, count: 4) == bad)
        }
    }
}
