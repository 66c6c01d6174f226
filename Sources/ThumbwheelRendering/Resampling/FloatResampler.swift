import ThumbwheelCore

/// Separable resampling in floating point, for images with alpha, which is premultiplied meanwhile, in linear light.
///
/// Rows are reduced horizontally as they come; a kernel's height of reduced rows is kept.
final class FloatResampler: RowConsumer {
    let neededRows: Range<Int>

    private let store: OrientedStore
    private let horizontal: TapTable
    private let vertical: TapTable
    private let channels: Int
    private let levels: [Float]
    // The byte of each 65 535th.
    private let encoding: [UInt8]
    // Where an opaque image is reduced a lot, blocks of its light are averaged first.
    private var reducer: PixelReducer?
    private var line: [SIMD4<Float>]
    private var ring: [SIMD4<Float>]
    private var output: [UInt8]
    private var rowsIn: Int
    private var rowsOut = 0

    init(_ plan: ResamplingPlan, store: OrientedStore) {
        let isOpaque = plan.format == .rgb
        let reduction = isOpaque && plan.isLinear ? BoxReducer.reduction(for: plan) : 1
        let box = plan.box.scaled(horizontally: 1 / Double(reduction), vertically: 1 / Double(reduction))
        horizontal = TapTableCache.shared.table(
            for: TapTable.Key(
                start: box.x, length: box.width, inputCount: (plan.decodedSize.width + reduction - 1) / reduction,
                outputCount: plan.outputSize.width))
        vertical = TapTableCache.shared.table(
            for: TapTable.Key(
                start: box.y, length: box.height, inputCount: (plan.decodedSize.height + reduction - 1) / reduction,
                outputCount: plan.outputSize.height))
        let rows = vertical.inputRange
        rowsIn = rows.lowerBound
        neededRows = rows.lowerBound * reduction..<min(rows.upperBound * reduction, plan.decodedSize.height)
        if reduction > 1 {
            reducer = PixelReducer(
                .light(TransferCurve.light), reduction: reduction, channels: plan.channels,
                columns: horizontal.inputRange, decodedSize: plan.decodedSize, firstRow: neededRows.lowerBound)
        }
        channels = plan.channels
        levels = plan.isLinear ? TransferCurve.linear : (0..<256).map { Float($0) / 255 }
        encoding = plan.isLinear ? TransferCurve.encoded : (0..<65536).map { UInt8(($0 + 128) / 257) }
        line = Array(repeating: .zero, count: horizontal.inputRange.count)
        ring = Array(repeating: .zero, count: vertical.count * plan.outputSize.width)
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

    /// Expands to RGBA with premultiplied colour.
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

    private func reduceHorizontally(intoSlot slot: Int) {
        let width = store.size.width
        let offset = horizontal.inputRange.lowerBound
        let count = horizontal.count
        line.withUnsafeBufferPointer { line in
            horizontal.weights.withUnsafeBufferPointer { weights in
                horizontal.first.withUnsafeBufferPointer { first in
                    ring.withUnsafeMutableBufferPointer { ring in
                        for x in 0..<width {
                            var sum = SIMD4<Float>.zero
                            let start = first[x] - offset
                            for tap in 0..<count { sum += line[start &+ tap] * weights[x &* count &+ tap] }
                            ring[slot &* width &+ x] = sum
                        }
                    }
                }
            }
        }
    }

    private func finishRow() {
        let width = store.size.width
        let count = vertical.count
        let first = vertical.first[rowsOut] % count
        let hasAlpha = store.format == .rgba
        ring.withUnsafeBufferPointer { ring in
            vertical.weights.withUnsafeBufferPointer { table in
                let weights = table.baseAddress! + rowsOut * count
                encoding.withUnsafeBufferPointer { encoding in
                    output.withUnsafeMutableBufferPointer { output in
                        @inline(__always) func sum(_ x: Int) -> SIMD4<Float> {
                            // The ring's rows from the oldest to its end, then those from its beginning.
                            var sum = SIMD4<Float>.zero
                            var tap = 0
                            var place = first &* width &+ x
                            while tap < count &- first {
                                sum += ring[place] * weights[tap]
                                tap &+= 1
                                place &+= width
                            }
                            place = x
                            while tap < count {
                                sum += ring[place] * weights[tap]
                                tap &+= 1
                                place &+= width
                            }
                            return sum
                        }
                        @inline(__always) func byte(_ value: Float) -> UInt8 {
                            encoding[Int(max(0, min(65535, value * 65535 + 0.5)))]
                        }
                        var target = output.baseAddress!
                        for x in 0..<width {
                            var colour = sum(x)
                            if hasAlpha {
                                target[3] = UInt8(max(0, min(1, colour.w)) * 255 + 0.5)
                                // Overshoot of the kernel may leave a little alpha where there is none: its colour
                                // means nothing.
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
        }
        output.withUnsafeBytes { store.put(row: $0.baseAddress!, at: rowsOut) }
        rowsOut += 1
    }
}
