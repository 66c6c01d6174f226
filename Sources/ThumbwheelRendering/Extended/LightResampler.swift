import ThumbwheelCore

/// Resamples rows of a decode in floating point, first horizontally and then vertically. The output is half floats in
/// linear light.
final class LightResampler: RowConsumer {
    let neededRows: Range<Int>
    let neededColumns: Range<Int>
    private let store: OrientedStore
    private let pixels: LightPixels
    private var passes: FloatPasses
    private var output: [UInt64]
    private var rowsIn: Int
    private var rowsOut = 0

    init(_ plan: ResamplingPlan, _ pixels: LightPixels, store: OrientedStore) {
        precondition(store.format == .linearRGBA)
        passes = FloatPasses(
            horizontal: TapTable.cached(
                for: TapTable.Key(
                    start: plan.box.x, length: plan.box.width, inputCount: plan.decodedSize.width,
                    outputCount: plan.outputSize.width, end: plan.end?.x)),
            vertical: TapTable.cached(
                for: TapTable.Key(
                    start: plan.box.y, length: plan.box.height, inputCount: plan.decodedSize.height,
                    outputCount: plan.outputSize.height, end: plan.end?.y)))
        neededRows = passes.vertical.inputRange
        neededColumns = passes.horizontal.inputRange
        rowsIn = neededRows.lowerBound
        output = Array(repeating: 0, count: plan.outputSize.width)
        self.pixels = pixels
        self.store = store
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        let source = row + neededColumns.lowerBound * pixels.bytesPerPixel
        passes.line.withUnsafeMutableBufferPointer { line in
            pixels.load(source, into: line)
            pixels.premultiply(line)
        }
        passes.reduceHorizontally(intoSlot: rowsIn % passes.vertical.count)
        rowsIn += 1
        while rowsOut < store.size.height,
            rowsIn >= passes.vertical.firstInputs[rowsOut] + passes.vertical.count
        {
            finishRow()
        }
    }

    private func finishRow() {
        passes.reduceVertically(to: rowsOut)
        let width = store.size.width
        passes.sums.withUnsafeMutableBufferPointer { sums in
            let line = UnsafeMutableBufferPointer(rebasing: sums[..<width])
            pixels.unpremultiply(line)
            output.withUnsafeMutableBufferPointer { pixels.store(line, into: $0.baseAddress!) }
        }
        output.withUnsafeBytes { store.put(row: $0.baseAddress!, at: rowsOut) }
        rowsOut += 1
    }
}
