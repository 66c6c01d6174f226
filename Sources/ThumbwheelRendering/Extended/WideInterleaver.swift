/// Interleaves separate planes of samples (grey, luma and chroma, or red, green and blue) row by row into 16-bit
/// samples of grey or RGB. All bits of the planes' samples are kept.
final class WideInterleaver: SampleRowConsumer {
    let neededRows: Range<Int>
    let neededColumns: Range<Int>
    private let isGrey: Bool
    private let colors: PlaneColors
    private let body: (UnsafePointer<UInt8>) -> Void
    private var pixels: [UInt16]

    /// - Parameters:
    ///   - columns: the columns that `body` uses; nil for all.
    ///   - body: takes the bytes of each row of pixels in turn, from column 0. Pixels outside `columns` may have any
    ///     value.
    init(
        channels: Int, width: Int, colors: PlaneColors, rows: Range<Int>, columns: Range<Int>? = nil,
        body: @escaping (UnsafePointer<UInt8>) -> Void
    ) {
        neededRows = rows
        neededColumns = (columns ?? 0..<width).clamped(to: 0..<width)
        isGrey = channels == 1
        self.colors = colors
        self.body = body
        // Eight pixels are made at a time, so up to seven may lie beyond the end of a row.
        pixels = Array(repeating: 0, count: (width + 8) * 3)
    }

    func consume(
        _ first: UnsafePointer<PlaneSample>, _ second: UnsafePointer<PlaneSample>, _ third: UnsafePointer<PlaneSample>
    ) {
        let factors = (colors.matrix ?? .bt601).factors
        let isMixed = colors.matrix != nil
        let (isGrey, columns) = (isGrey, neededColumns)
        pixels.withUnsafeMutableBufferPointer { pixels in
            var x = columns.lowerBound & ~7
            while x < columns.upperBound {
                if isGrey {
                    let grey = Self.widened(PixelConverter.clamped(PixelConverter.loaded(first, x)))
                    for index in 0..<8 { pixels[x &+ index] = grey[index] }
                } else {
                    let colors = PixelConverter.converted(first, second, third, at: x, isMixed: isMixed, factors)
                    let red = Self.widened(colors.0)
                    let green = Self.widened(colors.1)
                    let blue = Self.widened(colors.2)
                    for index in 0..<8 {
                        let place = 3 &* (x &+ index)
                        pixels[place] = red[index]
                        pixels[place &+ 1] = green[index]
                        pixels[place &+ 2] = blue[index]
                    }
                }
                x &+= 8
            }
            body(UnsafeRawPointer(pixels.baseAddress!).assumingMemoryBound(to: UInt8.self))
        }
    }

    /// Widens samples from the range 0 to 8160 to the range 0 to 65 535: multiplies each sample by 8, and adds a 32nd
    /// of the sample.
    @inline(__always)
    private static func widened(_ samples: PixelConverter.Eight) -> SIMD8<UInt16> {
        let wide = SIMD8<UInt16>(truncatingIfNeeded: samples)
        return wide &<< 3 &+ wide &>> 5
    }
}
