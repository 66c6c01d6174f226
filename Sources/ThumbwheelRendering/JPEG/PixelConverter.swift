/// Luma and chroma to red, green and blue (JFIF 1.02: ITU-R BT.601 at full range), eight pixels at a time.
enum PixelConverter {
    typealias Eight = SIMD8<Int16>

    /// Red, green and blue of eight pixels, as samples from 0 to `PlaneSample.span`.
    @inline(__always)
    static func converted(
        _ luma: UnsafePointer<PlaneSample>, _ blueness: UnsafePointer<PlaneSample>,
        _ redness: UnsafePointer<PlaneSample>, at x: Int, isRGB: Bool
    ) -> (Eight, Eight, Eight) {
        let y = loaded(luma, x)
        let cb = loaded(blueness, x)
        let cr = loaded(redness, x)
        if isRGB { return (clamped(y), clamped(cb), clamped(cr)) }
        // 1.402, 0.344136, 0.714136 and 1.772 by their distance from whole numbers.
        let red = y &+ cr &+ upperHalf(cr, Eight(repeating: 26345))
        let green = y &- cr &+ upperHalf(cr, Eight(repeating: 18734)) &- upperHalf(cb, Eight(repeating: 22554))
        let blue = y &+ cb &+ cb &- upperHalf(cb, Eight(repeating: 14942))
        return (clamped(red), clamped(green), clamped(blue))
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

/// Makes rows of interleaved pixels, grey or RGB.
final class PixelInterleaver: SampleRowConsumer {
    let neededRows: Range<Int>
    let neededColumns: Range<Int>
    private let isGrey: Bool
    private let isRGB: Bool
    private let body: (UnsafePointer<UInt8>) -> Void
    private var pixels: [UInt8]

    /// - Parameter body: takes one row of pixels after the other, from column 0.
    init(
        channels: Int, width: Int, isRGB: Bool, rows: Range<Int>, body: @escaping (UnsafePointer<UInt8>) -> Void
    ) {
        neededRows = rows
        neededColumns = 0..<width
        isGrey = channels == 1
        self.isRGB = isRGB
        self.body = body
        pixels = Array(repeating: 0, count: width * 3 + 64)
    }

    func consume(
        _ first: UnsafePointer<PlaneSample>, _ second: UnsafePointer<PlaneSample>, _ third: UnsafePointer<PlaneSample>
    ) {
        pixels.withUnsafeMutableBufferPointer { pixels in
            var target = UnsafeMutableRawPointer(pixels.baseAddress!)
            var x = 0
            while x < neededColumns.upperBound {
                if isGrey {
                    let grey = PixelConverter.rounded(PixelConverter.clamped(PixelConverter.loaded(first, x)))
                    target.storeBytes(of: lanes(grey, as: UInt8.self), as: SIMD8<UInt8>.self)
                    target += 8
                } else {
                    let colours = PixelConverter.converted(first, second, third, at: x, isRGB: isRGB)
                    let red = PixelConverter.rounded(colours.0)
                    let green = PixelConverter.rounded(colours.1)
                    let blue = PixelConverter.rounded(colours.2)
                    let low = unsafeBitCast(red | green &<< 8, to: SIMD8<UInt16>.self)
                    let words = lanes(low, as: UInt32.self) | lanes(blue, as: UInt32.self) &<< 16
                    // The fourth byte of each is written over by the next.
                    for pixel in 0..<8 {
                        target.storeBytes(of: words[pixel], toByteOffset: pixel &* 3, as: UInt32.self)
                    }
                    target += 24
                }
                x &+= 8
            }
            body(pixels.baseAddress!)
        }
    }
}
