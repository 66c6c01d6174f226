import ThumbwheelCore

/// Separable resampling in floating point, for images with alpha, which is premultiplied meanwhile, and for linear light.
///
/// Rows are reduced horizontally as they come; a kernel's height of reduced rows is kept.
final class FloatResampler: RowConsumer {
    let neededRows: Range<Int>

    private let store: OrientedStore
    private let horizontal: TapTable
    private let vertical: TapTable
    private let channels: Int
    private let isLinear: Bool
    private let levels: [Float]
    private var line: [SIMD4<Float>]
    private var ring: [SIMD4<Float>]
    private var output: [UInt8]
    private var rowsIn: Int
    private var rowsOut = 0

    init(_ plan: ResamplingPlan, store: OrientedStore) {
        horizontal = TapTableCache.shared.table(
            for: TapTable.Key(
                start: plan.box.x, length: plan.box.width, inputCount: plan.decodedSize.width,
                outputCount: plan.outputSize.width))
        vertical = TapTableCache.shared.table(
            for: TapTable.Key(
                start: plan.box.y, length: plan.box.height, inputCount: plan.decodedSize.height,
                outputCount: plan.outputSize.height))
        neededRows = vertical.inputRange
        rowsIn = neededRows.lowerBound
        channels = plan.channels
        isLinear = plan.isLinear
        levels = plan.isLinear ? TransferCurve.linear : (0..<256).map { Float($0) / 255 }
        line = Array(repeating: .zero, count: horizontal.inputRange.count)
        ring = Array(repeating: .zero, count: vertical.count * plan.outputSize.width)
        output = Array(repeating: 0, count: plan.outputSize.width * store.format.bytesPerPixel)
        self.store = store
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        enter(row + horizontal.inputRange.lowerBound * channels)
        reduceHorizontally(intoSlot: rowsIn % vertical.count)
        rowsIn += 1
        while rowsOut < store.size.height, rowsIn >= vertical.first[rowsOut] + vertical.count { finishRow() }
    }

    /// Expands to RGBA with premultiplied colour.
    private func enter(_ row: UnsafePointer<UInt8>) {
        let hasAlpha = channels == 2 || channels == 4
        let colourStep = channels >= 3 ? 1 : 0
        levels.withUnsafeBufferPointer { levels in
            for index in line.indices {
                let pixel = row + index * channels
                let alpha = hasAlpha ? Float(pixel[channels - 1]) / 255 : 1
                line[index] =
                    SIMD4(
                        levels[Int(pixel[0])], levels[Int(pixel[colourStep])], levels[Int(pixel[2 * colourStep])], 1)
                    * alpha
            }
        }
    }

    private func reduceHorizontally(intoSlot slot: Int) {
        let width = store.size.width
        let offset = horizontal.inputRange.lowerBound
        line.withUnsafeBufferPointer { line in
            horizontal.weights.withUnsafeBufferPointer { weights in
                for x in 0..<width {
                    var sum = SIMD4<Float>.zero
                    let start = horizontal.first[x] - offset
                    for tap in 0..<horizontal.count {
                        sum += line[start &+ tap] * weights[x &* horizontal.count &+ tap]
                    }
                    ring[slot * width + x] = sum
                }
            }
        }
    }

    private func finishRow() {
        let width = store.size.width
        let first = vertical.first[rowsOut]
        let bytes = store.format.bytesPerPixel
        ring.withUnsafeBufferPointer { ring in
            for x in 0..<width {
                var sum = SIMD4<Float>.zero
                for tap in 0..<vertical.count {
                    let slot = (first + tap) % vertical.count
                    sum += ring[slot * width + x] * vertical.weights[rowsOut * vertical.count + tap]
                }
                // Overshoot of the kernel may leave a little alpha where there is none: its colour means nothing.
                let alpha = max(0, min(1, sum.w))
                let colour = sum.w > 1 / 512 ? sum / sum.w : .zero
                for channel in 0..<3 { output[x * bytes + channel] = encoded(colour[channel]) }
                if bytes == 4 { output[x * 4 + 3] = UInt8(alpha * 255 + 0.5) }
            }
        }
        output.withUnsafeBytes { store.put(row: $0.baseAddress!, at: rowsOut) }
        rowsOut += 1
    }

    private func encoded(_ value: Float) -> UInt8 {
        let clamped = max(0, min(1, value))
        return isLinear ? TransferCurve.encoded[Int(clamped * 65535 + 0.5)] : UInt8(clamped * 255 + 0.5)
    }
}
