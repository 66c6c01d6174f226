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
        let channels = channels
        levels.withUnsafeBufferPointer { levels in
            line.withUnsafeMutableBufferPointer { line in
                for index in 0..<line.count {
                    let pixel = row + index &* channels
                    let alpha = hasAlpha ? Float(pixel[channels &- 1]) / 255 : 1
                    let colour = SIMD4(
                        levels[Int(pixel[0])], levels[Int(pixel[colourStep])], levels[Int(pixel[2 &* colourStep])], 1)
                    line[index] = colour * alpha
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
        let first = vertical.first[rowsOut]
        let weights = vertical.weights[rowsOut * count..<(rowsOut + 1) * count]
        let bytes = store.format.bytesPerPixel
        let isLinear = isLinear
        ring.withUnsafeBufferPointer { ring in
            weights.withUnsafeBufferPointer { weights in
                output.withUnsafeMutableBufferPointer { output in
                    for x in 0..<width {
                        var sum = SIMD4<Float>.zero
                        var slot = first % count
                        for tap in 0..<count {
                            sum += ring[slot &* width &+ x] * weights[tap]
                            slot = slot &+ 1 == count ? 0 : slot &+ 1
                        }
                        // Overshoot of the kernel may leave a little alpha where there is none: its colour means nothing.
                        let colour = sum.w > 1 / 512 ? sum / sum.w : .zero
                        for channel in 0..<3 {
                            output[x &* bytes &+ channel] = Self.encoded(colour[channel], isLinear: isLinear)
                        }
                        if bytes == 4 { output[x &* 4 &+ 3] = Self.encoded(sum.w, isLinear: false) }
                    }
                }
            }
        }
        output.withUnsafeBytes { store.put(row: $0.baseAddress!, at: rowsOut) }
        rowsOut += 1
    }

    private static func encoded(_ value: Float, isLinear: Bool) -> UInt8 {
        let clamped = max(0, min(1, value))
        return isLinear ? TransferCurve.encoded[Int(clamped * 65535 + 0.5)] : UInt8(clamped * 255 + 0.5)
    }
}
