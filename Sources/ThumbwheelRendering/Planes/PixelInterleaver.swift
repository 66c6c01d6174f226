/// Makes rows of interleaved pixels, grey or RGB, from planes that already have the image's scale.
final class PixelInterleaver: SampleRowConsumer {
    let neededRows: Range<Int>
    let neededColumns: Range<Int>
    private let isGrey: Bool
    private let colors: PlaneColors
    private let body: (UnsafePointer<UInt8>) -> Void
    private var pixels: [UInt8]

    /// - Parameters:
    ///   - columns: the columns that `body` reads; nil for all columns.
    ///   - body: takes each row of pixels in turn, from column 0. Pixels outside `columns` have undefined values.
    init(
        channels: Int, width: Int, colors: PlaneColors, rows: Range<Int>, columns: Range<Int>? = nil,
        body: @escaping (UnsafePointer<UInt8>) -> Void
    ) {
        neededRows = rows
        neededColumns = (columns ?? 0..<width).clamped(to: 0..<width)
        isGrey = channels == 1
        self.colors = colors
        self.body = body
        pixels = Array(repeating: 0, count: width * 3 + 64)
    }

    func consume(
        _ first: UnsafePointer<PlaneSample>, _ second: UnsafePointer<PlaneSample>, _ third: UnsafePointer<PlaneSample>
    ) {
        pixels.withUnsafeMutableBufferPointer { pixels in
            let matrix = colors.matrix
            let factors = (matrix ?? .bt601).factors
            let isMixed = matrix != nil
            var x = neededColumns.lowerBound & ~7
            var target = UnsafeMutableRawPointer(pixels.baseAddress!) + x * (isGrey ? 1 : 3)
            while x < neededColumns.upperBound {
                if isGrey {
                    let grey = PixelConverter.rounded(PixelConverter.clamped(PixelConverter.loaded(first, x)))
                    target.storeBytes(of: lanes(grey, as: UInt8.self), as: SIMD8<UInt8>.self)
                    target += 8
                } else {
                    let colours = PixelConverter.converted(first, second, third, at: x, isMixed: isMixed, factors)
                    let red = PixelConverter.rounded(colours.0)
                    let green = PixelConverter.rounded(colours.1)
                    let blue = PixelConverter.rounded(colours.2)
                    Self.store(red | green &<< 8, blue, target)
                    target += 24
                }
                x &+= 8
            }
            body(pixels.baseAddress!)
        }
    }

    /// Stores eight RGB pixels, and overwrites the two bytes after them. Pairs of pixels are assembled in 64-bit
    /// registers, because the compiler would turn a shuffle of vector elements into one operation for each element.
    ///
    /// - Parameters:
    ///   - redGreen: in each element, red in the lower byte and green in the upper byte.
    ///   - blue: blue in each element.
    @inline(__always)
    private static func store(
        _ redGreen: PixelConverter.Eight, _ blue: PixelConverter.Eight, _ target: UnsafeMutableRawPointer
    ) {
        let (redGreen, blue) = (
            unsafeBitCast(redGreen, to: SIMD2<UInt64>.self), unsafeBitCast(blue, to: SIMD2<UInt64>.self)
        )
        @inline(__always) func put(_ redGreen: UInt64, _ blue: UInt64, at offset: Int) {
            let pair =
                redGreen & 0xFFFF | (redGreen & 0xFFFF_0000) &<< 8 | (blue & 0xFF) &<< 16 | (blue & 0xFF_0000) &<< 24
            target.storeBytes(of: pair, toByteOffset: offset, as: UInt64.self)
        }
        put(redGreen[0], blue[0], at: 0)
        put(redGreen[0] &>> 32, blue[0] &>> 32, at: 6)
        put(redGreen[1], blue[1], at: 12)
        put(redGreen[1] &>> 32, blue[1] &>> 32, at: 18)
    }
}
