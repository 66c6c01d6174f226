/// The buffers of a `FixedPointResampler`, and the loops over them. All sizes are fixed on creation, and the bounds of
/// every loop follow from them. Callers pass indices of rows and of slots (places for one row in the ring buffer),
/// which are checked.
final class FixedPointWorkspace {
    private typealias Eight = SIMD8<Int16>

    private let columnCount: Int
    private let outputWidth: Int
    // The number of samples of a pixel: red, green, blue and perhaps alpha.
    private let samples: Int
    // The input rows that the vertical pass still needs.
    private let ring: PlaneRing
    // Eight rows that the vertical pass has made. The horizontal pass reduces them together.
    private let lines: PlaneLines
    // The bytes of eight rows of output, transposed: for each column, the bytes of the eight rows lie side by side.
    private let bytesOnSide: AlignedPlane<UInt8>
    // The bytes of eight rows of output, row by row.
    private let rows: AlignedPlane<UInt8>

    init(columnCount: Int, ringCount: Int, outputWidth: Int, samples: Int = 3) {
        precondition(samples == 3 || samples == 4)
        self.samples = samples
        self.columnCount = columnCount
        self.outputWidth = outputWidth
        ring = PlaneRing(columnCount: columnCount * samples, rowCount: ringCount)
        lines = PlaneLines(pitch: ring.pitch)
        let rowPitch = (outputWidth * samples + 7) / 8 * 8
        bytesOnSide = AlignedPlane(pitch: rowPitch, rowCount: 8)
        rows = AlignedPlane(pitch: rowPitch, rowCount: 8)
    }

    private var bytes: UnsafeMutableRawPointer { bytesOnSide.bytes }

    /// Stores an input row of `columnCount` pixels without alpha in a slot of the ring buffer.
    func enter(_ row: UnsafePointer<UInt8>, channels: Int, slot: Int) {
        let target = ring.slot(slot).assumingMemoryBound(to: UInt16.self)
        if channels == 3 {
            for index in 0..<columnCount &* 3 { target[index] = UInt16(row[index]) &<< 8 ^ 0x8000 }
        } else {
            for index in 0..<columnCount {
                let grey = UInt16(row[index]) &<< 8 ^ 0x8000
                target[index &* 3] = grey
                target[index &* 3 &+ 1] = grey
                target[index &* 3 &+ 2] = grey
            }
        }
    }

    /// Stores an input row of pixels with alpha in a slot of the ring buffer, with the colours multiplied by alpha.
    func enterPremultiplying(_ row: UnsafePointer<UInt8>, channels: Int, slot: Int) {
        precondition(samples == 4)
        let target = ring.slot(slot)
        for index in 0..<columnCount {
            let products = premultiplied(row + index &* channels, channels: channels)
            // `products` holds four numbers of 16 bits: red, green and blue times alpha, and alpha times 255. Their
            // largest value is 255·255, but that of samples without alpha is 255·256. Adding 1/256 of each number makes
            // the two almost equal, so that all samples can be treated alike. The exclusive OR with 0x8000 then
            // subtracts 32 768, which centres the numbers on 0.
            let scaled = products &+ (products &>> 8 & 0x00FF_00FF_00FF_00FF)
            target.storeBytes(of: scaled ^ 0x8000_8000_8000_8000, toByteOffset: index &* 8, as: UInt64.self)
        }
    }

    /// Stores a row of averaged samples in a slot of the ring buffer. An average is measured in units of 1/256 of an
    /// 8-bit level.
    func enter(averages: UnsafeBufferPointer<UInt16>, slot: Int) {
        precondition(averages.count == columnCount * samples)
        let target = ring.slot(slot).assumingMemoryBound(to: UInt16.self)
        for index in 0..<averages.count { target[index] = averages[index] ^ 0x8000 }
    }

    /// Makes one row of the vertical pass: computes the sum of the ring buffer's rows, each weighted by its tap for the
    /// given output row. Stores the sum in the line with the number `line`, one of the eight lines that the horizontal
    /// pass reduces together. The oldest row is in the slot `firstSlot`.
    func reduce(firstSlot: Int, taps: TapTable, output: Int, line: Int) {
        ring.reduce(firstSlot: firstSlot, taps: taps, output: output, into: lines.line(line))
    }

    /// Transposes the eight rows (lines) that the vertical pass has made, so that the eight samples of each column lie
    /// side by side.
    func transpose() {
        lines.transpose()
    }

    /// Makes eight rows of output pixels from the eight lines that `transpose()` has transposed. Each output pixel is a
    /// weighted sum of neighbouring pixels of a line, and `taps` has the weights. The sums are converted to bytes, and
    /// the bytes are transposed back into rows.
    func reduceHorizontally(taps: TapTable, firstColumn: Int) {
        precondition(taps.firstInputs.count == outputWidth && taps.inputRange.count <= columnCount && samples == 3)
        let shift = Int16(15 - taps.fixedPlaces)
        // Each sum begins with `bias`, which adds up three numbers:
        // - 128, because samples are centred on 0
        // - a half, so that cutting off the six fractional bits rounds to the nearest number
        // - a correction for the low bits that the products lose
        let bias = Eight(repeating: taps.truncationBias &+ (32 &+ 128 &<< 6) &>> shift)
        let doubling = Eight(repeating: shift)
        let (count, columns, bytes) = (taps.count, lines.columns, bytes)
        taps.fixedWeights.withUnsafeBufferPointer { table in
            taps.firstInputs.withUnsafeBufferPointer { first in
                for x in 0..<outputWidth {
                    let weights = table.baseAddress! + x &* count
                    var source = columns + (first[x] &- firstColumn) &* 48
                    var red = bias
                    var green = bias
                    var blue = bias
                    for tap in 0..<count {
                        let weight = Eight(repeating: weights[tap])
                        red = red &+ upperHalf(source.load(as: Eight.self), weight)
                        green = green &+ upperHalf(source.load(fromByteOffset: 16, as: Eight.self), weight)
                        blue = blue &+ upperHalf(source.load(fromByteOffset: 32, as: Eight.self), weight)
                        source += 48
                    }
                    let target = bytes + x &* 24
                    target.storeBytes(of: clampedBytes(red &<< doubling), as: SIMD8<UInt8>.self)
                    target.storeBytes(of: clampedBytes(green &<< doubling), toByteOffset: 8, as: SIMD8<UInt8>.self)
                    target.storeBytes(of: clampedBytes(blue &<< doubling), toByteOffset: 16, as: SIMD8<UInt8>.self)
                }
            }
        }
        transposeOutput()
    }

    /// Makes eight rows of output pixels with alpha from the eight lines that `transpose()` has transposed. Each output
    /// pixel is a weighted sum of neighbouring pixels of a line, and `taps` has the weights. The sums of the colours
    /// are divided by alpha and converted to bytes, and the bytes are transposed back into rows.
    func reduceHorizontallyWithAlpha(taps: TapTable, firstColumn: Int) {
        precondition(taps.firstInputs.count == outputWidth && taps.inputRange.count <= columnCount && samples == 4)
        let shift = Int16(15 - taps.fixedPlaces)
        let bias = Eight(repeating: taps.truncationBias &+ (128 &<< 6) &>> shift)
        let doubling = Eight(repeating: shift)
        let (count, columns, bytes) = (taps.count, lines.columns, bytes)
        taps.fixedWeights.withUnsafeBufferPointer { table in
            taps.firstInputs.withUnsafeBufferPointer { first in
                for x in 0..<outputWidth {
                    let weights = table.baseAddress! + x &* count
                    var source = columns + (first[x] &- firstColumn) &* 64
                    var red = bias
                    var green = bias
                    var blue = bias
                    var alpha = bias
                    for tap in 0..<count {
                        let weight = Eight(repeating: weights[tap])
                        red = red &+ upperHalf(source.load(as: Eight.self), weight)
                        green = green &+ upperHalf(source.load(fromByteOffset: 16, as: Eight.self), weight)
                        blue = blue &+ upperHalf(source.load(fromByteOffset: 32, as: Eight.self), weight)
                        alpha = alpha &+ upperHalf(source.load(fromByteOffset: 48, as: Eight.self), weight)
                        source += 64
                    }
                    storeUnpremultiplied(
                        red &<< doubling, green &<< doubling, blue &<< doubling, alpha &<< doubling, at: bytes + x &* 32
                    )
                }
            }
        }
        transposeOutput()
    }

    private func transposeOutput() {
        let pitch = rows.pitch
        for block in 0..<pitch / 8 {
            transpose8x8(bytes + block &* 64, into: rows.bytes + block &* 8, pitch: pitch)
        }
    }

    /// Returns one of the eight rows that the horizontal pass made, with `outputWidth` pixels.
    func outputRow(_ line: Int) -> UnsafeRawPointer { UnsafeRawPointer(rows[line]) }
}
