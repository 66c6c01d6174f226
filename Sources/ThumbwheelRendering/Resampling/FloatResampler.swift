import ThumbwheelCore

/// Separable resampling in linear light and floating point. Colours with alpha are multiplied by it during resampling.
///
/// Rows are reduced horizontally as they come; only as many reduced rows as the kernel has taps are kept.
final class FloatResampler: RowConsumer {
    let neededRows: Range<Int>
    let neededColumns: Range<Int>

    private let store: OrientedStore
    private let horizontal: TapTable
    private let vertical: TapTable
    private let channels: Int
    private let levels: [Float]
    // The output byte for each level of light from 0 to 65 535.
    private let encoding: [UInt8]
    // Averages blocks of light first, if an opaque image is reduced a lot; nil otherwise.
    private var reducer: PixelReducer?
    private var line: [SIMD4<Float>]
    // The number of pixels in each row of the buffers: the width, rounded up to a multiple of four, because the loops
    // take four pixels at a time.
    private let pitch: Int
    private var ring: [SIMD4<Float>]
    private var sums: [SIMD4<Float>]
    private var output: [UInt8]
    private var rowsIn: Int
    private var rowsOut = 0

    init(_ plan: ResamplingPlan, store: OrientedStore) {
        let isOpaque = plan.format == .rgb
        let reduction = isOpaque && plan.isLinear ? BoxReduction(for: plan) : .none
        let box = reduction.reduced(plan.box)
        let blocks = reduction.blocks(of: plan.decodedSize)
        let end = reduction.end(of: plan)
        horizontal = TapTable.made(
            for: TapTable.Key(
                start: box.x, length: box.width, inputCount: blocks.width, outputCount: plan.outputSize.width,
                end: end.x))
        vertical = TapTable.made(
            for: TapTable.Key(
                start: box.y, length: box.height, inputCount: blocks.height, outputCount: plan.outputSize.height,
                end: end.y))
        let rows = vertical.inputRange
        rowsIn = rows.lowerBound
        neededRows = reduction.rows(of: rows, in: plan.decodedSize)
        neededColumns = reduction.columns(of: horizontal.inputRange, in: plan.decodedSize)
        if reduction != .none {
            reducer = PixelReducer(
                .light(TransferCurve.light), reduction: reduction, channels: plan.channels,
                columns: horizontal.inputRange, decodedSize: plan.decodedSize, firstRow: neededRows.lowerBound)
        }
        channels = plan.channels
        levels = plan.isLinear ? TransferCurve.linear : (0..<256).map { Float($0) / 255 }
        encoding = plan.isLinear ? TransferCurve.encoded : (0..<65536).map { UInt8(($0 + 128) / 257) }
        line = Array(repeating: .zero, count: horizontal.inputRange.count)
        pitch = (plan.outputSize.width + 3) / 4 * 4
        ring = Array(repeating: .zero, count: vertical.count * pitch)
        sums = Array(repeating: .zero, count: pitch)
        output = Array(repeating: 0, count: plan.outputSize.width * store.format.bytesPerPixel)
        self.store = store
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        if reducer == nil {
            enter(row + horizontal.inputRange.lowerBound * channels)
        } else {
            guard let averages = reducer!.add(row) else { return }
            for index in line.indices {
                let light = SIMD3(averages[index * 3], averages[index * 3 + 1], averages[index * 3 + 2])
                line[index] = SIMD4(SIMD3<Float>(light) / 65280, 1)
            }
        }
        reduceHorizontally(intoSlot: rowsIn % vertical.count)
        rowsIn += 1
        while rowsOut < store.size.height, rowsIn >= vertical.first[rowsOut] + vertical.count { finishRow() }
    }

    /// Converts a row of pixels to RGBA with premultiplied colour, into `line`.
    private func enter(_ row: UnsafePointer<UInt8>) {
        let hasAlpha = channels == 2 || channels == 4
        let step = channels >= 3 ? 1 : 0
        let channels = channels
        levels.withUnsafeBufferPointer { levels in
            line.withUnsafeMutableBufferPointer { line in
                var pixel = row
                for index in 0..<line.count {
                    let colour = SIMD4(
                        levels[Int(pixel[0])], levels[Int(pixel[step])], levels[Int(pixel[2 &* step])], 1)
                    line[index] = hasAlpha ? colour * (Float(pixel[channels &- 1]) / 255) : colour
                    pixel += channels
                }
            }
        }
    }

    /// Reduces `line` horizontally, four pixels at a time: with a single sum, every addition would wait for the one before.
    private func reduceHorizontally(intoSlot slot: Int) {
        let last = store.size.width - 1
        let offset = horizontal.inputRange.lowerBound
        let count = horizontal.count
        let pitch = pitch
        line.withUnsafeBufferPointer { line in
            horizontal.weights.withUnsafeBufferPointer { weights in
                horizontal.first.withUnsafeBufferPointer { first in
                    ring.withUnsafeMutableBufferPointer { ring in
                        var x = 0
                        while x <= last {
                            let places = SIMD4(x, min(x &+ 1, last), min(x &+ 2, last), min(x &+ 3, last))
                            let taps = places &* count
                            let (i, j) = (first[places[0]] &- offset, first[places[1]] &- offset)
                            let (k, l) = (first[places[2]] &- offset, first[places[3]] &- offset)
                            var (a, b) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                            var (c, d) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                            for tap in 0..<count {
                                a += line[i &+ tap] * weights[taps[0] &+ tap]
                                b += line[j &+ tap] * weights[taps[1] &+ tap]
                                c += line[k &+ tap] * weights[taps[2] &+ tap]
                                d += line[l &+ tap] * weights[taps[3] &+ tap]
                            }
                            let target = slot &* pitch &+ x
                            ring[target] = a
                            ring[target &+ 1] = b
                            ring[target &+ 2] = c
                            ring[target &+ 3] = d
                            x &+= 4
                        }
                    }
                }
            }
        }
    }

    /// Reduces the ring's rows vertically into `sums`, four pixels at a time.
    private func reduceVertically() {
        let count = vertical.count
        let slot = vertical.first[rowsOut] % count
        let pitch = pitch
        ring.withUnsafeBufferPointer { ring in
            vertical.weights.withUnsafeBufferPointer { table in
                let weights = table.baseAddress! + rowsOut * count
                sums.withUnsafeMutableBufferPointer { sums in
                    var x = 0
                    while x < pitch {
                        var (a, b) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                        var (c, d) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                        @inline(__always) func add(_ taps: Range<Int>, from slot: Int) {
                            var place = slot &* pitch &+ x
                            for tap in taps {
                                let weight = weights[tap]
                                a += ring[place] * weight
                                b += ring[place &+ 1] * weight
                                c += ring[place &+ 2] * weight
                                d += ring[place &+ 3] * weight
                                place &+= pitch
                            }
                        }
                        // The ring buffer's oldest row is at `slot`. The taps apply first to the rows from there to the
                        // buffer's end, then to the rows at its beginning.
                        add(0..<count &- slot, from: slot)
                        add(count &- slot..<count, from: 0)
                        sums[x] = a
                        sums[x &+ 1] = b
                        sums[x &+ 2] = c
                        sums[x &+ 3] = d
                        x &+= 4
                    }
                }
            }
        }
    }

    private func finishRow() {
        reduceVertically()
        let hasAlpha = store.format == .rgba
        let width = store.size.width
        sums.withUnsafeBufferPointer { sums in
            encoding.withUnsafeBufferPointer { encoding in
                output.withUnsafeMutableBufferPointer { output in
                    @inline(__always) func byte(_ value: Float) -> UInt8 {
                        encoding[Int(max(0, min(65535, value * 65535 + 0.5)))]
                    }
                    var target = output.baseAddress!
                    for x in 0..<width {
                        var colour = sums[x]
                        if hasAlpha {
                            target[3] = UInt8(max(0, min(1, colour.w)) * 255 + 0.5)
                            // The kernel's overshoot may leave a little alpha in places that had none; the colour there has
                            // no meaning.
                            colour = colour.w > 1 / 512 ? colour / colour.w : .zero
                        }
                        target[0] = byte(colour.x)
                        target[1] = byte(colour.y)
                        target[2] = byte(colour.z)
                        target += hasAlpha ? 4 : 3
                    }
                }
            }
        }
        output.withUnsafeBytes { store.put(row: $0.baseAddress!, at: rowsOut) }
        rowsOut += 1
    }
}
