import ThumbwheelCore

/// Turns coefficients into rows of samples and hands the rows to a consumer, one row of minimum coded units at a time.
final class PlaneOutput {
    /// The transform and the buffer with which one component's coefficients become rows of samples.
    private struct Plane {
        /// The number of blocks across that the component has in a minimum coded unit.
        let horizontal: Int
        /// The number of blocks down that the component has in a minimum coded unit.
        let vertical: Int
        let transform: BlockTransform
        let band: PlaneBand
        let neededRows: Range<Int>
    }

    /// The rows of minimum coded units from which the consumer needs samples.
    let unitRows: Range<Int>
    /// The columns of minimum coded units from which the consumer needs samples.
    let unitColumns: Range<Int>
    // The number of minimum coded units in a row.
    private let unitWidth: Int
    // The number of rows of samples that a row of minimum coded units contains, in the plane that has the most.
    private let unitHeight: Int
    private let planes: [Plane]
    private let consumer: any PlaneRowConsumer
    // The row of minimum coded units that is being filled.
    private var row: Int
    // The number of minimum coded units that are done in the row that is being filled.
    private var column = 0
    private let gathered = GatheredBlocks()
    // The blocks that lie partly outside the image and are made from all 64 coefficients. All other blocks may be made
    // from fewer. Nil if no block needs all its coefficients.
    private let edges: EdgeBlocks?
    // For each component, the 64 quantisation steps in natural order; empty if `edges` is nil.
    private let edgeSteps: [[Float]]
    /// Reads minimum coded units at the image's edges a second time, now with all their coefficients. The first reading
    /// of a single scan keeps only the coefficients that the scale needs. Nil for a file of several scans, or if no
    /// block needs all its coefficients.
    var edgeUnits: EdgeUnits?

    /// - Parameters:
    ///   - quantization: for each component, 64 quantisation steps in zigzag order.
    ///   - needed: the minimum coded units that the consumer needs.
    init(
        _ frame: JPEGFrame, quantization: [[UInt16]?], scales: PlaneScales, needed: NeededUnits, edges: EdgeBlocks?,
        consumer: any PlaneRowConsumer
    ) throws(RenderError) {
        var planes: [Plane] = []
        for (index, component) in frame.components.enumerated() {
            guard let steps = quantization[index] else {
                throw .malformed(reason: "a component without its quantisation table")
            }
            let scale = scales.planes[index].scale
            planes.append(
                Plane(
                    horizontal: component.horizontal, vertical: component.vertical,
                    transform: BlockTransform(scale: scale, quantization: steps),
                    band: PlaneBand(
                        size: scales.planes[index].size, width: component.paddedBlocks.width * scale,
                        height: component.vertical * scale),
                    neededRows: consumer.neededRows(ofPlane: index).clamped(to: 0..<scales.planes[index].size.height)))
        }
        self.planes = planes
        self.consumer = consumer
        self.edges = edges
        edgeSteps =
            edges == nil
            ? [] : quantization.map { table in table.map { JPEGTables.inNaturalOrder($0).map(Float.init) } ?? [] }
        unitWidth = frame.units.width
        unitHeight = planes.map(\.band.height).max() ?? 0
        unitRows = needed.rows
        unitColumns = needed.columns
        row = needed.rows.lowerBound
    }

    /// Takes a run of minimum coded units. In the image, these units must follow the units of the previous call.
    ///
    /// - Parameter skipped: the number of units at the run's start that are left out, because they lie above the needed
    ///   rows.
    func take(_ run: InterleavedBlocks, skipping skipped: Int) {
        edgeUnits?.forget()
        take(from: run.start + skipped, to: run.count) { plane, index, line, units, target in
            let blocks = BlockRow(run, component: index, line: line, units: units)
            plane.transform.transform(blocks, gatheredIn: gathered, into: target, pitch: plane.band.pitch)
        } edge: { edges, unit, column in
            guard let whole = edgeUnits?.read(unit, of: run) else { return }
            makeSamples(of: edges, column: column) { index, line, block, target in
                let (part, steps) = (run.components[index], edgeSteps[index])
                let number = line * part.horizontal + block
                // Takes the DC coefficient from the first reading of the unit, and the other 63 coefficients from the
                // second reading:
                // - The first reading has kept only some coefficients. Its DC coefficient is complete.
                // - The second reading has kept all coefficients. But in place of the DC coefficient, it has the
                //   difference from the DC coefficient of the previous block.
                let first = run.unit(unit) + part.offset + number * part.blockSampleCount
                let others = whole.unit(0) + whole.components[index].offset + number * 64
                target[0] = Float(first[0]) * steps[0]
                for place in 1..<64 { target[place] = Float(others[place]) * steps[place] }
            }
        }
    }

    /// Takes a whole row of minimum coded units. It must be the row after the row of the previous call.
    ///
    /// - Parameter whole: the same units with all their coefficients, from which the blocks at the image's edges are
    ///   made. Nil if all blocks are made from the coefficients in `run`.
    func take(_ run: CoefficientPlanes, whole: CoefficientPlanes?) {
        take(from: 0, to: run.unitCount) { plane, index, line, units, target in
            plane.transform.transform(
                run.row(line, of: index) + units.lowerBound * plane.horizontal, stride: run.stride(index),
                count: units.count * plane.horizontal, into: target, pitch: plane.band.pitch)
        } edge: { edges, unit, column in
            guard let whole else { return }
            makeSamples(of: edges, column: column) { index, line, block, target in
                let source = whole.row(line, of: index) + unit * planes[index].horizontal + block
                let (stride, steps) = (whole.stride(index), edgeSteps[index])
                for place in 0..<64 { target[place] = Float(source[place * stride]) * steps[place] }
            }
        }
    }

    private func makeSamples(
        of edges: EdgeBlocks, column: Int,
        _ coefficients: (_ component: Int, _ line: Int, _ block: Int, UnsafeMutablePointer<Float>) -> Void
    ) {
        edges.makeSamples(row: row, column: column, coefficients: coefficients) { index, line in
            let band = planes[index].band
            return (band.row(line * planes[index].transform.scale), band.pitch)
        }
    }

    /// Makes the samples of the minimum coded units from `start` to `end`, and hands each row of units to the consumer
    /// once it is complete.
    ///
    /// - Parameters:
    ///   - transform: a function that makes the samples of one row of blocks, for the units with the indices `units`.
    ///   - edge: a function that makes the samples of a unit's edge blocks again, now from all 64 coefficients. It
    ///     replaces the samples that `transform` has made from fewer coefficients.
    private func take(
        from start: Int, to end: Int,
        _ transform: (Plane, _ index: Int, _ line: Int, _ units: Range<Int>, UnsafeMutablePointer<PlaneSample>) -> Void,
        edge: (EdgeBlocks, _ unit: Int, _ column: Int) -> Void
    ) {
        var unit = start
        while unit < end, row < unitRows.upperBound {
            let count = min(end - unit, unitWidth - column)
            let wanted = (column..<column + count).clamped(to: unitColumns)
            if !wanted.isEmpty {
                let first = unit + wanted.lowerBound - column
                for (index, plane) in planes.enumerated() {
                    let scale = plane.transform.scale
                    for line in 0..<plane.vertical {
                        let target = plane.band.row(line * scale) + wanted.lowerBound * plane.horizontal * scale
                        transform(plane, index, line, first..<first + wanted.count, target)
                    }
                }
                if let edges {
                    for column in wanted where column >= edges.firstColumn(inRow: row) {
                        edge(edges, first + column - wanted.lowerBound, column)
                    }
                }
            }
            unit += count
            column += count
            if column == unitWidth { finishRow() }
        }
    }

    /// Hands the consumer neutral grey for all needed rows that were not decoded.
    func finish() {
        while row < unitRows.upperBound {
            for plane in planes { plane.band.blank(from: column * plane.horizontal * plane.transform.scale) }
            finishRow()
        }
    }

    private func finishRow() {
        // Each plane in turn hands some rows to the consumer, in proportion to its height. So a consumer that needs
        // several planes at once has to keep only a few rows of each plane.
        for line in 0..<unitHeight {
            for (index, plane) in planes.enumerated() {
                let height = plane.band.height
                for own in line * height / unitHeight..<(line + 1) * height / unitHeight
                where plane.neededRows.contains(row * height + own) {
                    plane.band.closeRow(own)
                    consumer.consume(plane.band.row(own), plane: index)
                }
            }
        }
        row += 1
        column = 0
    }
}
