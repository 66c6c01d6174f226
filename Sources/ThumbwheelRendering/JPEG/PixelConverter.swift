/// Luma and chroma to red, green and blue (JFIF 1.02: ITU-R BT.601 at full range), eight pixels at a time.
enum PixelConverter {
    typealias Eight = SIMD8<Int16>

    /// Red, green and blue of eight pixels, from 0 to 255.
    @inline(__always)
    static func converted(
        _ luma: UnsafePointer<UInt8>, _ blueness: UnsafePointer<UInt8>, _ redness: UnsafePointer<UInt8>, at x: Int,
        isRGB: Bool
    ) -> (Eight, Eight, Eight) {
        let first = loaded(luma, x)
        let second = loaded(blueness, x)
        let third = loaded(redness, x)
        if isRGB { return (first, second, third) }
        // With 5 binary places, of which one half goes to rounding.
        let y = first &<< 5 &+ 16
        let cb = (second &- 128) &<< 5
        let cr = (third &- 128) &<< 5
        // 1.402, 0.344136, 0.714136 and 1.772 by their distance from whole numbers.
        let red = y &+ cr &+ upperHalf(cr, Eight(repeating: 26345))
        let green = y &- cr &+ upperHalf(cr, Eight(repeating: 18734)) &- upperHalf(cb, Eight(repeating: 22554))
        let blue = y &+ cb &+ cb &- upperHalf(cb, Eight(repeating: 14942))
        return (clamped(red &>> 5), clamped(green &>> 5), clamped(blue &>> 5))
    }

    @inline(__always)
    static func loaded(_ samples: UnsafePointer<UInt8>, _ x: Int) -> Eight {
        lanes(UnsafeRawPointer(samples + x).loadUnaligned(as: SIMD8<UInt8>.self), as: Int16.self)
    }

    @inline(__always)
    private static func clamped(_ value: Eight) -> Eight {
        let positive = value & ~(value &>> 15)
        return (positive | ((255 &- positive) &>> 15)) & 255
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
        pixels = Array(repeating: 0, count: isGrey ? 0 : width * 3 + 64)
    }

    func consume(_ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, _ third: UnsafePointer<UInt8>) {
        if isGrey {
            body(first)
            return
        }
        pixels.withUnsafeMutableBufferPointer { pixels in
            var target = UnsafeMutableRawPointer(pixels.baseAddress!)
            var x = 0
            while x < neededColumns.upperBound {
                let (red, green, blue) = PixelConverter.converted(first, second, third, at: x, isRGB: isRGB)
                let low = unsafeBitCast(red | green &<< 8, to: SIMD8<UInt16>.self)
                let words = lanes(low, as: UInt32.self) | lanes(blue, as: UInt32.self) &<< 16
                // The fourth byte of each is written over by the next.
                for pixel in 0..<8 { target.storeBytes(of: words[pixel], toByteOffset: pixel &* 3, as: UInt32.self) }
                target += 24
                x &+= 8
            }
            body(pixels.baseAddress!)
        }
    }
}
