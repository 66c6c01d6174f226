import ThumbwheelCore

/// Resamples interleaved pixels in 16-bit fixed point, first vertically and then horizontally. If there is alpha,
/// colours are multiplied by alpha before resampling, and divided by alpha afterwards.
///
/// A sample p of 8 bits is stored as (p − 128)·256, which needs all 16 bits of a signed number. Weights have 15
/// fractional bits, so one SSE2 instruction computes the upper halves of eight products of a sample and a weight. In
/// these halves, a sample has one bit less than before. The free bit is the room for a kernel's overshoot. There are
/// two passes:
/// - The vertical pass makes an output row as soon as the last input row for it has come. So only as many input rows
///   are kept as the kernel has taps.
/// - The horizontal pass reduces eight output rows at once, with the same instruction. These rows are transposed first.
final class FixedPointResampler: RowConsumer {
    let neededRows: Range<Int>
    let neededColumns: Range<Int>

    private let store: OrientedStore
    private let horizontal: TapTable
    private let vertical: TapTable
    private let columns: Range<Int>
    private let channels: Int
    // Averages blocks of opaque pixels before resampling, if the image is reduced a lot; nil otherwise.
    private var reducer: BoxReducer?
    // Averages blocks of pixels with alpha before resampling, if the image is reduced a lot; nil otherwise.
    private var pixelReducer: PixelReducer?
    private let hasAlpha: Bool
    private let workspace: FixedPointWorkspace
    private var rowsIn: Int
    private var rowsOut = 0

    init(_ plan: ResamplingPlan, store: OrientedStore) {
        let reduction = BoxReduction(for: plan)
        let box = reduction.reduced(plan.box)
        let blocks = reduction.blocks(of: plan.decodedSize)
        let end = reduction.end(of: plan)
        horizontal = TapTable.cached(
            for: TapTable.Key(
                start: box.x, length: box.width, inputCount: blocks.width, outputCount: plan.outputSize.width,
                end: end.x))
        vertical = TapTable.cached(
            for: TapTable.Key(
                start: box.y, length: box.height, inputCount: blocks.height, outputCount: plan.outputSize.height,
                end: end.y))
        columns = horizontal.inputRange
        let rows = vertical.inputRange
        rowsIn = rows.lowerBound
        neededRows = reduction.rows(of: rows, in: plan.decodedSize)
        neededColumns = reduction.columns(of: horizontal.inputRange, in: plan.decodedSize)
        channels = plan.channels
        self.store = store
        workspace = FixedPointWorkspace(
            columnCount: columns.count, ringCount: vertical.count, outputWidth: plan.outputSize.width,
            samples: plan.format.bytesPerPixel)
        hasAlpha = plan.format == .rgba
        if reduction != .none, hasAlpha {
            pixelReducer = PixelReducer(
                .premultiplied, reduction: reduction, channels: channels, columns: columns,
                decodedSize: plan.decodedSize, firstRow: neededRows.lowerBound)
        } else if reduction != .none {
            reducer = BoxReducer(
                reduction: reduction, channels: channels, columns: columns, decodedSize: plan.decodedSize,
                firstRow: neededRows.lowerBound)
        }
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        let slot = rowsIn % vertical.count
        if reducer != nil {
            guard let averages = reducer!.add(row) else { return }
            averages.withUnsafeBufferPointer { workspace.enter(averages: $0, slot: slot) }
        } else if pixelReducer != nil {
            guard let averages = pixelReducer!.add(row) else { return }
            averages.withUnsafeBufferPointer { workspace.enter(averages: $0, slot: slot) }
        } else {
            enter(row + columns.lowerBound * channels, slot: slot)
        }
        rowsIn += 1
        while rowsOut < store.size.height, rowsIn >= vertical.firstInputs[rowsOut] + vertical.count { finishRow() }
    }

    private func enter(_ row: UnsafePointer<UInt8>, slot: Int) {
        if hasAlpha {
            workspace.enterPremultiplying(row, channels: channels, slot: slot)
        } else {
            workspace.enter(row, channels: channels, slot: slot)
        }
    }

    private func reduceHorizontally() {
        if hasAlpha {
            workspace.reduceHorizontallyWithAlpha(taps: horizontal, firstColumn: columns.lowerBound)
        } else {
            workspace.reduceHorizontally(taps: horizontal, firstColumn: columns.lowerBound)
        }
    }

    private func finishRow() {
        workspace.reduce(
            firstSlot: vertical.firstInputs[rowsOut] % vertical.count, taps: vertical, output: rowsOut,
            line: rowsOut % 8)
        rowsOut += 1
        let lines = (rowsOut - 1) % 8 + 1
        guard lines == 8 || rowsOut == store.size.height else { return }
        workspace.transpose()
        reduceHorizontally()
        for line in 0..<lines { store.put(row: workspace.outputRow(line), at: rowsOut - lines + line) }
    }
}
