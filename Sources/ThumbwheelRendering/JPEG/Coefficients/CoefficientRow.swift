import ThumbwheelCore

/// The coefficients of one row of minimum coded units. Each scan of the file adds the coefficients that it contains, or
/// single bits of coefficients.
///
/// Before the next row of units is read, the current row is read from every scan. So the coefficients of the whole
/// image are never in memory at once.
final class CoefficientRow {
    let run: CoefficientPlanes
    let slots: [SlotTable]
    /// All coefficients of the minimum coded units at the image's edges, where blocks may lie partly outside the image.
    /// Nil if no such block is needed.
    let whole: CoefficientPlanes?
    let wholeSlots: [SlotTable]
    /// The scale of each component's blocks, in eighths of full size.
    let scales: [Int]
    // The index in the row of the first minimum coded unit that was read with all its coefficients. All units to its
    // right were read with all their coefficients, too. If there is no such unit, the index is the number of units in
    // the row.
    private var firstWhole: Int
    private let components: [JPEGFrame.Component]
    private let starts: [Int]
    private let historyCount: Int
    // For each block, a word with one bit for each coefficient in zigzag order. A bit is set if a scan has found that
    // coefficient not to be zero. Refinement scans need these bits even for coefficients that are not kept.
    private let histories: UnsafeMutablePointer<UInt64>

    /// - Parameter keepsWhole: whether there is memory for all coefficients of the minimum coded units at the image's
    ///   edges (`whole`), in addition to the memory for the coefficients that the scale needs (`run`).
    init(_ frame: JPEGFrame, scales: PlaneScales, keepsWhole: Bool = false) {
        let dimensions = zip(frame.components, scales.planes).map { component, plane in
            CoefficientPlanes.Component(
                horizontal: component.horizontal, vertical: component.vertical, scale: plane.scale)
        }
        let run = CoefficientPlanes(components: dimensions, unitCount: frame.units.width)
        self.run = run
        firstWhole = run.unitCount
        let whole =
            keepsWhole
            ? CoefficientPlanes(
                components: frame.components.map {
                    CoefficientPlanes.Component(horizontal: $0.horizontal, vertical: $0.vertical, scale: 8)
                }, unitCount: frame.units.width) : nil
        self.whole = whole
        wholeSlots =
            whole.map { whole in
                dimensions.indices.map { SlotTable(scale: 8, stride: whole.stride($0)) }
            } ?? []
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

    /// Makes all coefficients zero, so that the next row of minimum coded units can be read.
    func clear() {
        run.clear()
        whole?.clear(from: firstWhole)
        firstWhole = run.unitCount
        histories.update(repeating: 0, count: historyCount)
    }

    /// Copies the low frequencies of blocks, which lie in the upper left corner of the 8 × 8 coefficients, from `whole`
    /// to `run`. `whole` has all coefficients of a block; `run` has only those that the scale of the decode needs. This
    /// is done for the minimum coded units that were read with all their coefficients.
    ///
    /// - Parameter first: the first of these units. All units to its right were read with all their coefficients, too.
    func takeCorners(from first: Int) {
        guard let whole, first < run.unitCount else { return }
        firstWhole = first
        for (index, component) in components.enumerated() {
            let scale = scales[index]
            let blocks = first * component.horizontal..<run.unitCount * component.horizontal
            for line in 0..<component.vertical {
                for place in 0..<scale * scale {
                    let source = whole.row(line, of: index) + (place / scale * 8 + place % scale) * whole.stride(index)
                    let target = run.row(line, of: index) + place * run.stride(index)
                    for block in blocks { target[block] = source[block] }
                }
            }
        }
    }

    /// The histories of one line of a component's blocks. A block's history is the set of its coefficients that have
    /// been found not to be zero.
    func history(_ line: Int, of component: Int) -> UnsafeMutablePointer<UInt64> {
        precondition(line < components[component].vertical)
        return histories + starts[component] + line * components[component].paddedBlocks.width
    }
}
