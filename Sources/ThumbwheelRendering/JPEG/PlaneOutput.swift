import ThumbwheelCore

/// Turns coefficients into rows of samples and hands them on, row of minimum coded units by row.
final class PlaneOutput {
    /// One component's way from coefficients to rows.
    private struct Plane {
        /// Blocks of a unit.
        let horizontal: Int
        let vertical: Int
        let transform: BlockTransform
        let band: PlaneBand
        let neededRows: Range<Int>
    }

    /// The rows of units that the consumer needs something of.
    let unitRows: Range<Int>
    /// The columns of units that the consumer looks at.
    let unitColumns: Range<Int>
    // Units in a row, and rows of the finest plane in a unit.
    private let unitWidth: Int
    private let unitHeight: Int
    private let planes: [Plane]
    private let consumer: any PlaneRowConsumer
    // The row of units being filled, and how many of its units have been.
    private var row: Int
    private var column = 0
    private let gathered = GatheredBlocks()

    /// - Parameter quantization: by component, 64 steps each in zigzag order.
    init(
        _ frame: JPEGFrame, quantization: [[UInt16]?], scales: JPEGScales, consumer: any PlaneRowConsumer
    ) throws(RenderError) {
        var planes: [Plane] = []
        // From the first row or column of units that any plane needs to the last.
        var rows = 0..<0
        var columns = 0..<0
        for (index, component) in frame.components.enumerated() {
            guard let steps = quantization[index] else {
                throw .malformed(reason: "a component without its quantisation table")
            }
            let scale = scales.planes[index].scale
            let plane = Plane(
                horizontal: component.horizontal, vertical: component.vertical,
                transform: BlockTransform(scale: scale, quantization: steps),
                band: PlaneBand(
                    size: scales.planes[index].size, width: component.paddedBlocks.width * scale,
                    height: component.vertical * scale),
                neededRows: consumer.neededRows(ofPlane: index).clamped(to: 0..<scales.planes[index].size.height))
            rows = Self.union(rows, Self.units(of: plane.neededRows, each: component.vertical * scale))
            columns = Self.union(
                columns,
                Self.units(of: consumer.neededColumns(ofPlane: index), each: component.horizontal * scale))
            planes.append(plane)
        }
        self.planes = planes
        self.consumer = consumer
        unitWidth = frame.units.width
        unitHeight = planes.map(\.band.height).max() ?? 0
        unitRows = rows
        unitColumns = columns.clamped(to: 0..<frame.units.width)
        row = rows.lowerBound
    }

    private static func units(of samples: Range<Int>, each count: Int) -> Range<Int> {
        samples.lowerBound / count..<max(samples.lowerBound / count, (samples.upperBound + count - 1) / count)
    }

    private static func union(_ first: Range<Int>, _ second: Range<Int>) -> Range<Int> {
        if first.isEmpty { return second }
        if second.isEmpty { return first }
        return min(first.lowerBound, second.lowerBound)..<max(first.upperBound, second.upperBound)
    }

    /// Takes the units of a run that follow those that it took before.
    ///
    /// - Parameter skipped: units at the run's start that lie above the rows that are needed.
    func take(_ run: BlockRun, skipping skipped: Int) {
        take(from: run.start + skipped, to: run.count) { plane, index, line, units, target in
            let blocks = BlockRow(run, component: index, line: line, units: units)
            plane.transform.transform(blocks, gatheredIn: gathered, into: target, pitch: plane.band.pitch)
        }
    }

    /// Takes all units of a run, which follow those that it took before.
    func take(_ run: CoefficientRun) {
        take(from: 0, to: run.unitCount) { plane, index, line, units, target in
            plane.transform.transform(
                run.row(line, of: index) + units.lowerBound * plane.horizontal, stride: run.stride(index),
                count: units.count * plane.horizontal, into: target, pitch: plane.band.pitch)
        }
    }

    /// - Parameter transform: makes samples of a line of blocks in units of the run.
    private func take(
        from start: Int, to end: Int,
        _ transform: (Plane, _ index: Int, _ line: Int, _ units: Range<Int>, UnsafeMutablePointer<PlaneSample>) -> Void
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
            }
            unit += count
            column += count
            if column == unitWidth { finishRow() }
        }
    }

    /// Hands on neutral grey for all that was not decoded.
    func finish() {
        while row < unitRows.upperBound {
            for plane in planes { plane.band.blank(from: column * plane.horizontal * plane.transform.scale) }
            finishRow()
        }
    }

    private func finishRow() {
        // In step, so that who needs rows of all planes has to keep few of each.
        for line in 0..<unitHeight {
            for (index, plane) in planes.enumerated() {
                let height = plane.band.height
                for own in line * height / unitHeight..<(line + 1) * height / unitHeight
                where plane.neededRows.contains(row * height + own) {
                    consumer.consume(plane.band.row(own), plane: index)
                }
            }
        }
        row += 1
        column = 0
    }
}
