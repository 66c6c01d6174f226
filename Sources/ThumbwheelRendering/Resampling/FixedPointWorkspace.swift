/// The buffers of a `FixedPointResampler` and the loops over them. All sizes are fixed here, and every loop's bounds
/// follow from them: callers pass indices of rows and slots, which are checked.
final class FixedPointWorkspace {
    private typealias Eight = SIMD8<Int16>

    private let columnCount: Int
    private let outputWidth: Int
    // Samples of a pixel: red, green, blue and perhaps alpha.
    private let samples: Int
    // Input rows, and eight reduced rows.
    private let ring: PlaneRing
    private let lines: PlaneLines
    // Output bytes on their side, and output rows.
    private let bytesOnSide: AlignedPlane<UInt8>
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

    /// Takes an input row of `columnCount` pixels into a slot of the ring.
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

    /// Takes an input row of pixels with alpha, which their colours are multiplied with.
    func enterPremultiplying(_ row: UnsafePointer<UInt8>, channels: Int, slot: Int) {
        precondition(samples == 4)
        let target = ring.slot(slot)
        for index in 0..<columnCount {
            let products = premultiplied(row + index &* channels, channels: channels)
            // 255·255 to 255·256, in all four lanes; then the samples are centred.
            let scaled = products &+ (products &>> 8 & 0x00FF_00FF_00FF_00FF)
            target.storeBytes(of: scaled ^ 0x8000_8000_8000_8000, toByteOffset: index &* 8, as: UInt64.self)
        }
    }

    /// Takes a row of averages, 256 times the sample.
    func enter(averages: UnsafeBufferPointer<UInt16>, slot: Int) {
        precondition(averages.count == columnCount * samples)
        let target = ring.slot(slot).assumingMemoryBound(to: UInt16.self)
        for index in 0..<averages.count { target[index] = averages[index] ^ 0x8000 }
    }

    /// Weighs the ring's rows, the oldest of which is in `firstSlot`, into one of eight lines.
    func reduce(firstSlot: Int, taps: TapTable, output: Int, line: Int) {
        ring.reduce(firstSlot: firstSlot, taps: taps, output: output, into: lines.line(line))
    }

    /// Turns the eight lines on their side: sample by sample, eight rows beside each other.
    func transpose() {
        lines.turn()
    }

    /// Weighs columns of the turned lines into bytes, and turns those upright again.
    func reduceHorizontally(taps: TapTable, firstColumn: Int) {
        precondition(taps.first.count == outputWidth && taps.inputRange.count <= columnCount && samples == 3)
        // Half of the last place, for what is shifted out, goes with the bias, and so does the centre of the samples.
        let shift = Int16(15 - taps.fixedPlaces)
        let bias = Eight(repeating: taps.truncationBias &+ (32 &+ 128 &<< 6) &>> shift)
        let doubling = Eight(repeating: shift)
        let (count, columns, bytes) = (taps.count, lines.columns, bytes)
        taps.fixedWeights.withUnsafeBufferPointer { table in
            taps.first.withUnsafeBufferPointer { first in
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
        turnUpright()
    }

    /// The same with alpha, which the colours are divided by again.
    func reduceHorizontallyWithAlpha(taps: TapTable, firstColumn: Int) {
        precondition(taps.first.count == outputWidth && taps.inputRange.count <= columnCount && samples == 4)
        let shift = Int16(15 - taps.fixedPlaces)
        let bias = Eight(repeating: taps.truncationBias &+ (128 &<< 6) &>> shift)
        let doubling = Eight(repeating: shift)
        let (count, columns, bytes) = (taps.count, lines.columns, bytes)
        taps.fixedWeights.withUnsafeBufferPointer { table in
            taps.first.withUnsafeBufferPointer { first in
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
        turnUpright()
    }

    private func turnUpright() {
        let pitch = rows.pitch
        for block in 0..<pitch / 8 {
            transpose8x8(bytes + block &* 64, into: rows.bytes + block &* 8, pitch: pitch)
        }
    }

    /// One of the eight rows that `reduceHorizontally` made: `outputWidth` pixels.
    func outputRow(_ line: Int) -> UnsafeRawPointer { UnsafeRawPointer(rows[line]) }
}
