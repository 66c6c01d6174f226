/// The blocks of a scan's minimum coded unit, with their tables and the run that they are read into.
final class ScanCursors {
    let run: CoefficientRun
    private let blocks: UnsafeMutableBufferPointer<BlockCursor>
    private let starts: [UnsafeMutablePointer<Int16>]
    private let lastKept: [Int]
    // The blocks point into these.
    private let tables: [HuffmanTable]
    private let slots: [SlotTable]

    /// A component of the scan, in the scan's order.
    struct Component {
        /// Its place in the run.
        let index: Int
        let dimensions: CoefficientRun.Component
        let dc: HuffmanTable
        let ac: HuffmanTable
    }

    init(components: [Component], capacity: Int) {
        let ordered = components.sorted { $0.index < $1.index }
        let run = CoefficientRun(components: ordered.map(\.dimensions), capacity: capacity)
        let slots = components.map { SlotTable(scale: $0.dimensions.scale, stride: run.stride($0.index)) }
        var cursors: [BlockCursor] = []
        for (place, component) in components.enumerated() {
            for row in 0..<component.dimensions.vertical {
                for column in 0..<component.dimensions.horizontal {
                    cursors.append(
                        BlockCursor(
                            dc: component.dc.coefficients, ac: component.ac.coefficients, runs: component.ac.runs,
                            slots: slots[place].entries, output: run.row(row, of: component.index) + column,
                            step: component.dimensions.horizontal, lastKept: slots[place].lastKept, dcCode: 2 * place,
                            acCode: 2 * place + 1))
                }
            }
        }
        self.run = run
        self.slots = slots
        tables = components.flatMap { [$0.dc, $0.ac] }
        starts = cursors.map(\.output)
        lastKept = cursors.map(\.lastKept)
        blocks = .allocate(capacity: cursors.count)
        _ = blocks.initialize(from: cursors)
    }

    deinit {
        blocks.deallocate()
    }

    var buffer: UnsafeMutableBufferPointer<BlockCursor> { blocks }

    /// The codes that the blocks' indices mean.
    var codes: [HuffmanCode] { tables.map(\.code) }

    /// Empties the run and begins it anew.
    ///
    /// - Parameter keepsCoefficients: whether anything but the DC coefficients is wanted.
    func rewind(keepsCoefficients: Bool) {
        run.clear()
        for index in blocks.indices {
            blocks[index].output = starts[index]
            blocks[index].lastKept = keepsCoefficients ? lastKept[index] : 0
        }
    }
}
