import ThumbwheelCore

/// Copies a rectangle of the decode without resampling, and converts it to half floats in linear light.
final class LightCopier: RowConsumer {
    let neededRows: Range<Int>
    let neededColumns: Range<Int>
    private let store: OrientedStore
    private let pixels: LightPixels
    private var nextRow = 0
    private var line: [SIMD4<Float>]
    private var output: [UInt64]

    init(_ plan: ResamplingPlan, _ pixels: LightPixels, store: OrientedStore) {
        precondition(plan.isCopy && store.format == .linearRGBA)
        neededRows = Int(plan.box.y)..<Int(plan.box.y) + plan.outputSize.height
        neededColumns = Int(plan.box.x)..<Int(plan.box.x) + plan.outputSize.width
        self.pixels = LightPixels(
            samples: pixels.samples, channels: pixels.channels, light: pixels.light, isLinear: true)
        self.store = store
        line = Array(repeating: .zero, count: plan.outputSize.width)
        output = Array(repeating: 0, count: plan.outputSize.width)
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        let source = row + neededColumns.lowerBound * pixels.bytesPerPixel
        line.withUnsafeMutableBufferPointer { line in
            pixels.load(source, into: line)
            output.withUnsafeMutableBufferPointer { pixels.store(line, into: $0.baseAddress!) }
        }
        output.withUnsafeBytes { store.put(row: $0.baseAddress!, at: nextRow) }
        nextRow += 1
    }
}
