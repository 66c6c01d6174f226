import ThumbwheelCore

/// Separable resampling in linear light and floating point. If there is alpha, colours are multiplied by alpha before
/// resampling, and divided by alpha afterwards.
///
/// Each row is reduced horizontally as soon as it comes. Only as many reduced rows as the kernel has taps are kept.
final class FloatResampler: RowConsumer {
    let neededRows: Range<Int>
    let neededColumns: Range<Int>

    private let store: OrientedStore
    private var passes: FloatPasses
    private let channels: Int
    private let levels: [Float]
    // The output byte for each level of light from 0 to 65 535.
    private let encoding: [UInt8]
    // Averages blocks of pixels in linear light before resampling, if an opaque image is reduced a lot; nil otherwise.
    private var reducer: PixelReducer?
    private var output: [UInt8]
    private var rowsIn: Int
    private var rowsOut = 0

    init(_ plan: ResamplingPlan, store: OrientedStore) {
        let isOpaque = plan.format == .rgb
        let reduction = isOpaque && plan.isLinear ? BoxReduction(for: plan) : .none
        let box = reduction.reduced(plan.box)
        let blocks = reduction.blocks(of: plan.decodedSize)
        let end = reduction.end(of: plan)
        let horizontal = TapTable.cached(
            for: TapTable.Key(
                start: box.x, length: box.width, inputCount: blocks.width, outputCount: plan.outputSize.width,
                end: end.x))
        let vertical = TapTable.cached(
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
        passes = FloatPasses(horizontal: horizontal, vertical: vertical)
        output = Array(repeating: 0, count: plan.outputSize.width * store.format.bytesPerPixel)
        self.store = store
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        if reducer == nil {
            enter(row + passes.horizontal.inputRange.lowerBound * channels)
        } else {
            guard let averages = reducer!.add(row) else { return }
            for index in passes.line.indices {
                let light = SIMD3(averages[index * 3], averages[index * 3 + 1], averages[index * 3 + 2])
                passes.line[index] = SIMD4(SIMD3<Float>(light) / 65280, 1)
            }
        }
        passes.reduceHorizontally(intoSlot: rowsIn % passes.vertical.count)
        rowsIn += 1
        while rowsOut < store.size.height, rowsIn >= passes.vertical.firstInputs[rowsOut] + passes.vertical.count {
            finishRow()
        }
    }

    /// Converts a row of pixels to RGBA with colours multiplied by alpha, and stores them as the input row of `passes`.
    private func enter(_ row: UnsafePointer<UInt8>) {
        let hasAlpha = channels == 2 || channels == 4
        let step = channels >= 3 ? 1 : 0
        let channels = channels
        levels.withUnsafeBufferPointer { levels in
            passes.line.withUnsafeMutableBufferPointer { line in
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

    private func finishRow() {
        passes.reduceVertically(to: rowsOut)
        let hasAlpha = store.format == .rgba
        let width = store.size.width
        passes.sums.withUnsafeBufferPointer { sums in
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
                            // The kernel's overshoot may leave a little alpha in places that had none. The colour of
                            // such places has no meaning, so it is set to 0.
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
