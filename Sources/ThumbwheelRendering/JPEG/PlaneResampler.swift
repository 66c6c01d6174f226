import ThumbwheelCore
import ThumbwheelFormats

/// Separable resampling of a JPEG's planes in 16-bit fixed point, as `FixedPointResampler` does it, each colour in a row of
/// its own: pixels never have to be interleaved before they are stored.
///
/// Colours are converted before they are resampled, because that is where a decode at full size clips them: a sky that is
/// white there stays white here.
final class PlaneResampler: SampleRowConsumer {
    let neededRows: Range<Int>
    let neededColumns: Range<Int>

    private let store: OrientedStore
    private let isRGB: Bool
    private let horizontal: TapTable
    private let vertical: TapTable
    // One for each colour, and eight reduced rows of each.
    private let rings: [PlaneRing]
    private let lines: [PlaneLines]
    private let mixer: PlaneMixer
    private var rowsIn: Int
    private var rowsOut = 0

    init(_ plan: ResamplingPlan, isRGB: Bool, store: OrientedStore) {
        horizontal = TapTableCache.shared.table(
            for: TapTable.Key(
                start: plan.box.x, length: plan.box.width, inputCount: plan.decodedSize.width,
                outputCount: plan.outputSize.width))
        vertical = TapTableCache.shared.table(
            for: TapTable.Key(
                start: plan.box.y, length: plan.box.height, inputCount: plan.decodedSize.height,
                outputCount: plan.outputSize.height))
        neededRows = vertical.inputRange
        neededColumns = horizontal.inputRange
        rowsIn = neededRows.lowerBound
        self.store = store
        self.isRGB = isRGB
        let (columns, rows) = (neededColumns.count, vertical.count)
        rings = (0..<plan.channels).map { _ in PlaneRing(columnCount: columns, rowCount: rows) }
        lines = rings.map { PlaneLines(pitch: $0.pitch) }
        mixer = PlaneMixer(outputWidth: plan.outputSize.width, taps: horizontal)
    }

    func consume(
        _ first: UnsafePointer<PlaneSample>, _ second: UnsafePointer<PlaneSample>, _ third: UnsafePointer<PlaneSample>
    ) {
        let start = neededColumns.lowerBound
        let slot = rowsIn % vertical.count
        if rings.count == 1 {
            rings[0].enter(grey: first + start, slot: slot)
        } else {
            PlaneRing.enter(
                first + start, second + start, third + start, isRGB: isRGB, into: (rings[0], rings[1], rings[2]),
                slot: slot)
        }
        rowsIn += 1
        while rowsOut < store.size.height, rowsIn >= vertical.first[rowsOut] + vertical.count { finishRow() }
    }

    private func finishRow() {
        let line = rowsOut % PlaneLines.height
        let slot = vertical.first[rowsOut] % vertical.count
        for (ring, lines) in zip(rings, lines) {
            ring.reduce(firstSlot: slot, taps: vertical, output: rowsOut, into: lines.line(line))
        }
        rowsOut += 1
        guard line == PlaneLines.height - 1 || rowsOut == store.size.height else { return }
        for lines in lines { lines.turn() }
        mixer.mix(lines[0], lines[rings.count > 1 ? 1 : 0], lines[rings.count > 1 ? 2 : 0])
        for index in 0...line { store.put(row: mixer.row(index), at: rowsOut - 1 - line + index) }
    }
}
