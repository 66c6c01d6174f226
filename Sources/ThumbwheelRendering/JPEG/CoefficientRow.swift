/// The coefficients of one row of minimum coded units, to which every scan adds its part.
///
/// Scans are read side by side, a row of each in turn, so that an image's coefficients are never all in memory.
final class CoefficientRow {
    let run: CoefficientRun
    let slots: [SlotTable]
    /// Of each component's blocks.
    let scales: [Int]
    private let components: [JPEGFrame.Component]
    private let starts: [Int]
    private let historyCount: Int
    // A word for each block, with a bit for each coefficient of the zigzag order that was found not to be zero: what a
    // refinement must know even of coefficients that are not kept.
    private let histories: UnsafeMutablePointer<UInt64>

    init(_ frame: JPEGFrame, scales: JPEGScales) {
        let dimensions = zip(frame.components, scales.planes).map { component, plane in
            CoefficientRun.Component(
                horizontal: component.horizontal, vertical: component.vertical, scale: plane.scale)
        }
        let run = CoefficientRun(components: dimensions, unitCount: frame.units.width)
        self.run = run
        slots = dimensions.indices.map { SlotTable(scale: dimensions[$0].scale, stride: run.stride($0)) }
        self.scales = scales.planes.map(\.scale)
        components = frame.components
        var starts: [Int] = []
        var count = 0
        for component in frame.components {
            starts.append(count)
            count += component.paddedBlocks.width * component.vertical
        }
        self.starts = starts
        historyCount = count
        histories = .allocate(capacity: count)
        histories.initialize(repeating: 0, count: count)
    }

    deinit {
        histories.deallocate()
    }

    /// Makes all coefficients zero.
    func clear() {
        run.clear()
        histories.update(repeating: 0, count: historyCount)
    }

    /// A line of a component's blocks.
    func history(_ line: Int, of component: Int) -> UnsafeMutablePointer<UInt64> {
        precondition(line < components[component].vertical)
        return histories + starts[component] + line * components[component].paddedBlocks.width
    }
}
