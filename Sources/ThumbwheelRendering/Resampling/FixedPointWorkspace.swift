/// The buffers of a `FixedPointResampler` and the loops over them. All sizes are fixed here, and every loop's bounds
/// follow from them: callers pass indices of rows and slots, which are checked.
final class FixedPointWorkspace {
    private typealias Eight = SIMD8<Int16>

    private let columnCount: Int
    private let ringCount: Int
    private let outputWidth: Int
    // Samples of a pixel: red, green, blue and perhaps alpha.
    private let samples: Int
    // Bytes of a row of 16-bit samples, padded to the 64 that one step of the vertical loop takes.
    private let pitch: Int
    // Input rows, eight reduced rows, the same on their side, output bytes on their side, output rows.
    private let ring: UnsafeMutableRawPointer
    private let lines: UnsafeMutableRawPointer
    private let turned: UnsafeMutableRawPointer
    private let bytes: UnsafeMutableRawPointer
    private let rows: UnsafeMutableRawPointer
    private let rowPitch: Int

    init(columnCount: Int, ringCount: Int, outputWidth: Int, samples: Int = 3) {
        precondition(samples == 3 || samples == 4)
        self.samples = samples
        self.columnCount = columnCount
        self.ringCount = ringCount
        self.outputWidth = outputWidth
        pitch = (columnCount * samples * 2 + 63) / 64 * 64
        rowPitch = (outputWidth * samples + 7) / 8 * 8
        ring = .allocate(byteCount: pitch * ringCount, alignment: 64)
        lines = .allocate(byteCount: pitch * 8, alignment: 64)
        turned = .allocate(byteCount: pitch * 8, alignment: 64)
        bytes = .allocate(byteCount: rowPitch * 8, alignment: 64)
        rows = .allocate(byteCount: rowPitch * 8, alignment: 64)
        // The padding is computed with, though nobody looks at the results.
        ring.initializeMemory(as: UInt8.self, repeating: 0, count: pitch * ringCount)
        lines.initializeMemory(as: UInt8.self, repeating: 0, count: pitch * 8)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: rowPitch * 8)
    }

    deinit {
        for buffer in [ring, lines, turned, bytes, rows] { buffer.deallocate() }
    }

    /// Takes an input row of `columnCount` pixels into a slot of the ring.
    func enter(_ row: UnsafePointer<UInt8>, channels: Int, slot: Int) {
        precondition(slot < ringCount)
        let target = (ring + slot * pitch).assumingMemoryBound(to: UInt16.self)
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
        precondition(slot < ringCount && samples == 4)
        let target = ring + slot * pitch
        for index in 0..<columnCount {
            let products = premultiplied(row + index &* channels, channels: channels)
            // 255·255 to 255·256, in all four lanes; then the samples are centred.
            let scaled = products &+ (products &>> 8 & 0x00FF_00FF_00FF_00FF)
            target.storeBytes(of: scaled ^ 0x8000_8000_8000_8000, toByteOffset: index &* 8, as: UInt64.self)
        }
    }

    /// Takes a row of averages, 256 times the sample.
    func enter(averages: UnsafeBufferPointer<UInt16>, slot: Int) {
        precondition(slot < ringCount && averages.count == columnCount * samples)
        let target = (ring + slot * pitch).assumingMemoryBound(to: UInt16.self)
        for index in 0..<averages.count { target[index] = averages[index] ^ 0x8000 }
    }

    /// Weighs the ring's rows, the oldest of which is in `firstSlot`, into one of eight lines.
    func reduce(firstSlot: Int, taps: TapTable, output: Int, line: Int) {
        precondition(firstSlot < ringCount && taps.count == ringCount && line < 8)
        let bias = Eight(repeating: Self.bias(of: taps))
        let target = lines + line * pitch
        // Weights with a place fewer make sums with a place fewer.
        let shift = Eight(repeating: Int16(15 - taps.fixedPlaces))
        let straight = ringCount - firstSlot
        taps.fixedWeights.withUnsafeBufferPointer { table in
            let weights = table.baseAddress! + output * taps.count
            var offset = 0
            while offset < pitch {
                var a = bias
                var b = bias
                var c = bias
                var d = bias
                @inline(__always) func add(_ range: Range<Int>, from slot: Int) {
                    var source = UnsafeRawPointer(ring) + (slot &* pitch &+ offset)
                    for tap in range {
                        let weight = Eight(repeating: weights[tap])
                        a = a &+ upperHalf(source.load(as: Eight.self), weight)
                        b = b &+ upperHalf(source.load(fromByteOffset: 16, as: Eight.self), weight)
                        c = c &+ upperHalf(source.load(fromByteOffset: 32, as: Eight.self), weight)
                        d = d &+ upperHalf(source.load(fromByteOffset: 48, as: Eight.self), weight)
                        source += pitch
                    }
                }
                add(0..<straight, from: firstSlot)
                add(straight..<ringCount, from: 0)
                target.storeBytes(of: a &<< shift, toByteOffset: offset, as: Eight.self)
                target.storeBytes(of: b &<< shift, toByteOffset: offset &+ 16, as: Eight.self)
                target.storeBytes(of: c &<< shift, toByteOffset: offset &+ 32, as: Eight.self)
                target.storeBytes(of: d &<< shift, toByteOffset: offset &+ 48, as: Eight.self)
                offset &+= 64
            }
        }
    }

    /// Turns the eight lines on their side: sample by sample, eight rows beside each other.
    func transpose() {
        var offset = 0
        while offset < pitch {
            @inline(__always) func eight(_ line: Int) -> Eight {
                lines.load(fromByteOffset: line &* pitch &+ offset, as: Eight.self)
            }
            transpose8x8(
                eight(0), eight(1), eight(2), eight(3), eight(4), eight(5), eight(6), eight(7),
                into: (turned + offset &* 8).assumingMemoryBound(to: Eight.self), isWhole: true)
            offset &+= 16
        }
    }

    /// Weighs columns of the turned lines into bytes, and turns those upright again.
    func reduceHorizontally(taps: TapTable, firstColumn: Int) {
        precondition(taps.first.count == outputWidth && taps.inputRange.count <= columnCount && samples == 3)
        // Half of the last place, for what is shifted out, goes with the bias, and so does the centre of the samples.
        let shift = Int16(15 - taps.fixedPlaces)
        let bias = Eight(repeating: Self.bias(of: taps) &+ (32 &+ 128 &<< 6) &>> shift)
        let doubling = Eight(repeating: shift)
        let count = taps.count
        taps.fixedWeights.withUnsafeBufferPointer { table in
            taps.first.withUnsafeBufferPointer { first in
                for x in 0..<outputWidth {
                    let weights = table.baseAddress! + x &* count
                    var source = UnsafeRawPointer(turned) + (first[x] &- firstColumn) &* 48
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
        let bias = Eight(repeating: Self.bias(of: taps) &+ (128 &<< 6) &>> shift)
        let doubling = Eight(repeating: shift)
        let count = taps.count
        taps.fixedWeights.withUnsafeBufferPointer { table in
            taps.first.withUnsafeBufferPointer { first in
                for x in 0..<outputWidth {
                    let weights = table.baseAddress! + x &* count
                    var source = UnsafeRawPointer(turned) + (first[x] &- firstColumn) &* 64
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
        for block in 0..<rowPitch / 8 {
            transpose8x8(bytes + block &* 64, into: rows + block &* 8, pitch: rowPitch)
        }
    }

    /// One of the eight rows that `reduceHorizontally` made: `outputWidth` RGB pixels.
    func outputRow(_ line: Int) -> UnsafeRawPointer {
        precondition(line < 8)
        return UnsafeRawPointer(rows + line * rowPitch)
    }

    /// Cutting off the lower half of a product loses half a place on average: given back for all of a sum's at once.
    private static func bias(of taps: TapTable) -> Int16 {
        Int16(clamping: Int((taps.meanContributors / 2).rounded()))
    }
}
