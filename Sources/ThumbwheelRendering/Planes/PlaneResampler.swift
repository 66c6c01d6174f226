import ThumbwheelCore

/// Separable resampling of an image's planes in 16-bit fixed point, with the arithmetic of `FixedPointResampler`.
///
/// Each plane is resampled from its own scale directly to the scale of the output. So a subsampled plane needs no
/// interpolation, and takes fewer multiplications than a plane at full scale. Only the output's pixels are converted to
/// colours.
final class PlaneResampler: PlaneRowConsumer {
    /// The tables and buffers with which one plane is resampled.
    private final class Channel {
        let horizontal: TapTable
        let vertical: TapTable
        let neededRows: Range<Int>
        let neededColumns: Range<Int>
        let ring: PlaneRing
        /// The eight rows that the vertical pass has made most recently for this plane.
        let lines: PlaneLines
        private(set) var rowsIn: Int

        init(
            horizontal: TapTable, vertical: TapTable, neededRows: Range<Int>, neededColumns: Range<Int>, rowCount: Int
        ) {
            self.horizontal = horizontal
            self.vertical = vertical
            self.neededRows = neededRows
            self.neededColumns = neededColumns
            ring = PlaneRing(columnCount: neededColumns.count, rowCount: rowCount)
            lines = PlaneLines(pitch: ring.pitch)
            rowsIn = neededRows.lowerBound
        }

        /// Returns the index in the ring buffer at which the next row is to be stored, and counts that row as taken.
        func nextSlot() -> Int {
            defer { rowsIn += 1 }
            return rowsIn % ring.rowCount
        }

        /// Whether this plane has already delivered all rows that the output row `output` needs.
        func isReady(for output: Int) -> Bool { rowsIn >= vertical.firstInputs[output] + vertical.count }

        /// Reduces the plane's rows vertically to an output row, and stores it as one of the eight `lines`.
        func reduce(_ output: Int, line: Int) {
            let first = vertical.firstInputs[output]
            precondition(rowsIn - first <= ring.rowCount, "row \(first) is not at hand")
            ring.reduce(
                firstSlot: first % ring.rowCount, taps: vertical, output: output, into: lines.line(line))
        }
    }

    private let store: OrientedStore
    private let channels: [Channel]
    private let lines: [PlaneLines]
    // Collects rows of luma and chroma until they can be written to the ring buffers together. Nil if the planes are
    // red, green and blue, or a single plane of grey.
    private let group: ChromaGroup?
    private let mixer: PlaneMixer
    private var rowsOut = 0

    /// - Returns: nil if chroma is subsampled in a way that `ChromaSubsampling` does not support.
    init?(_ plan: ResamplingPlan, scales: PlaneScales, colors: PlaneColors, store: OrientedStore) {
        let matrix = scales.planes.count == 3 ? colors.matrix : nil
        let subsampling = matrix == nil ? nil : ChromaSubsampling(scales)
        guard matrix == nil || subsampling != nil else { return nil }
        self.store = store
        let pixelRatio = scales.pixelRatio
        let tables = scales.planes.map { plane in
            let (across, down) = (plane.horizontalRatio / pixelRatio, plane.verticalRatio / pixelRatio)
            let box = plan.box.scaled(horizontally: across, vertically: down)
            return (
                horizontal: TapTable.cached(
                    for: TapTable.Key(
                        start: box.x, length: box.width, inputCount: plane.size.width,
                        outputCount: plan.outputSize.width, end: plan.end.map { $0.x * across })),
                vertical: TapTable.cached(
                    for: TapTable.Key(
                        start: box.y, length: box.height, inputCount: plane.size.height,
                        outputCount: plan.outputSize.height, end: plan.end.map { $0.y * down }))
            )
        }
        var rows = tables.map(\.vertical.inputRange)
        var columns = tables.map(\.horizontal.inputRange)
        if let subsampling {
            rows = subsampling.aligned(rows, by: subsampling.vertical)
            columns = subsampling.aligned(columns, by: subsampling.horizontal)
        }
        let rowCounts = Self.rowCounts(
            tables.map(\.vertical), unitHeights: scales.planes.map(\.unitHeight), inGroups: matrix != nil)
        channels = tables.indices.map { index in
            Channel(
                horizontal: tables[index].horizontal, vertical: tables[index].vertical, neededRows: rows[index],
                neededColumns: columns[index], rowCount: rowCounts[index])
        }
        lines = channels.map(\.lines)
        if let matrix, let subsampling {
            group = ChromaGroup(subsampling, columnCount: columns[1].count, matrix: matrix)
        } else {
            group = nil
        }
        mixer = PlaneMixer(
            outputWidth: plan.outputSize.width, taps: tables.map(\.horizontal), starts: columns.map(\.lowerBound),
            colors: colors)
    }

    /// Returns how many rows of each plane must be kept in memory. An output row is made from rows of all planes, and
    /// these rows are not decoded at the same time. So a plane's rows are kept until the last row that the output row
    /// needs has been stored.
    ///
    /// - Parameter inGroups: whether rows are stored in groups. A group has one row of the plane with the fewest rows,
    ///   and those rows of the other planes that cover the same part of the image. All rows of a group are stored
    ///   together. If false, each row is stored as soon as it is decoded.
    private static func rowCounts(_ tables: [TapTable], unitHeights: [Int], inGroups: Bool) -> [Int] {
        let steps = inGroups ? unitHeights.min()! : unitHeights.max()!
        var counts = tables.map(\.count)
        for output in tables[0].firstInputs.indices {
            var step = 0
            for (taps, height) in zip(tables, unitHeights) {
                step = max(step, ((taps.firstInputs[output] + taps.count) * steps + height - 1) / height)
            }
            for index in tables.indices {
                let rowsIn = step * unitHeights[index] / steps
                counts[index] = max(counts[index], rowsIn - tables[index].firstInputs[output])
            }
        }
        return counts
    }

    func neededRows(ofPlane plane: Int) -> Range<Int> { channels[plane].neededRows }

    func neededColumns(ofPlane plane: Int) -> Range<Int> { channels[plane].neededColumns }

    func consume(_ row: UnsafePointer<PlaneSample>, plane: Int) {
        let channel = channels[plane]
        let samples = row + channel.neededColumns.lowerBound
        if let group {
            group.append(samples, target: channel.ring.slot(channel.nextSlot()))
            guard plane == 2 else { return }
            group.enter()
        } else {
            channel.ring.enter(samples, slot: channel.nextSlot())
        }
        while rowsOut < store.size.height, channels.allSatisfy({ $0.isReady(for: rowsOut) }) { finishRow() }
    }

    private func finishRow() {
        let line = rowsOut % PlaneLines.height
        for channel in channels { channel.reduce(rowsOut, line: line) }
        rowsOut += 1
        guard line == PlaneLines.height - 1 || rowsOut == store.size.height else { return }
        for lines in lines { lines.transpose() }
        mixer.mix(lines)
        for index in 0...line { store.put(row: mixer.row(index), at: rowsOut - 1 - line + index) }
    }
}
