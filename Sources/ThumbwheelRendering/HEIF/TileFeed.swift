import ThumbwheelCore

/// Reduces the rows of decoded tiles and passes them to a consumer of planes.
final class TileFeed {
    private struct Plane {
        /// The index of the plane in a decoded picture.
        let source: Int
        let reducer: SampleReducer
        let block: PixelSize
        let size: PixelSize
        let neededRows: Range<Int>
        let neededColumns: Range<Int>
    }

    private let layout: TileLayout
    private let planes: [Plane]
    private let consumer: any PlaneRowConsumer
    // The number of rows of the coarsest plane that have been passed on to the consumer. The rows of the other planes
    // that cover the same part of the picture are passed on in the same step.
    private var stepCount = 0
    // The number of steps in a row of blocks, if the blocks of all planes can be reduced at once; otherwise 0.
    private let blockSteps: Int

    /// - Parameter blocks: for each plane, the size of the block of samples that is averaged into one sample.
    init(
        _ layout: TileLayout, blocks: [PixelSize], _ colors: PictureColors, to consumer: any PlaneRowConsumer
    ) {
        self.layout = layout
        self.consumer = consumer
        planes = colors.order.enumerated().map { index, source in
            let (size, block) = (layout.planeSizes[source], blocks[source])
            let range = colors.range(ofPlane: source, bitsPerSample: layout.bitsPerSample)
            return Plane(
                source: source,
                reducer: SampleReducer(
                    width: size.width, columns: block.width, rows: block.height, range: range,
                    needed: consumer.neededColumns(ofPlane: index)),
                block: block, size: size, neededRows: consumer.neededRows(ofPlane: index),
                neededColumns: consumer.neededColumns(ofPlane: index))
        }
        blockSteps = planes.allSatisfy(\.reducer.takesBlocks) ? blocks[0].height / layout.subsampling.height : 0
    }

    /// The rows and columns of tiles that the consumer needs.
    var needs: TileRun.Needs {
        func tiles(_ needed: KeyPath<Plane, Range<Int>>, _ side: KeyPath<PixelSize, Int>, below count: Int) -> Range<
            Int
        > {
            let ranges = planes.map { plane -> Range<Int> in
                let samples = plane[keyPath: needed]
                guard !samples.isEmpty else { return 0..<0 }
                let block = plane.block[keyPath: side]
                let tile = layout.tileSize(ofPlane: plane.source)[keyPath: side]
                let first = max(0, samples.lowerBound) * block / tile
                let last = (min(samples.upperBound * block, plane.size[keyPath: side]) - 1) / tile
                return first..<max(first, last) + 1
            }
            return Range.covering(ranges).clamped(to: 0..<count)
        }
        return TileRun.Needs(
            rows: tiles(\.neededRows, \.height, below: layout.rowCount),
            columns: tiles(\.neededColumns, \.width, below: layout.columnCount))
    }

    /// For each of the decoder's planes, the columns of reduced samples that the consumer needs.
    var neededColumns: [Range<Int>] {
        planes.sorted { $0.source < $1.source }.map(\.neededColumns)
    }

    /// The fraction of the image's height, from 0 to 1, that has been passed on to the consumer.
    var fedFraction: Double { Double(stepCount * layout.subsampling.height) / Double(layout.planeSizes[0].height) }

    /// Passes one row of tiles to the consumer, one row of samples after the other.
    ///
    /// - Parameter samples: returns the samples of one row in the decoder's plane `plane`. The number `row` is counted
    ///   from the upper edge of the row of tiles.
    func feedTileRow(_ tileRow: Int, _ samples: (_ row: Int, _ plane: Int) -> UnsafeRawPointer) {
        let height = stepsPerTileRow
        let steps = layout.rowCount == 1 ? 0..<stepEnd : tileRow * height..<min((tileRow + 1) * height, stepEnd)
        var step = steps.lowerBound
        while step < steps.upperBound {
            step += feed(step, below: steps.upperBound) { row, plane in
                let firstRow = layout.rowCount == 1 ? 0 : tileRow * layout.tileSize(ofPlane: plane).height
                return samples(row - firstRow, plane)
            }
        }
    }

    /// Passes one row of tiles, whose samples have been reduced already, to the consumer.
    ///
    /// - Parameters:
    ///   - rowCount: the number of reduced rows in a row of tiles. It is the same in all planes.
    ///   - samples: returns a reduced row of the decoder's plane `plane`. The number `row` is counted from the upper
    ///     edge of the row of tiles.
    func feedReducedTileRow(
        _ tileRow: Int, rowCount: Int, _ samples: (_ row: Int, _ plane: Int) -> UnsafePointer<PlaneSample>
    ) {
        for row in 0..<rowCount {
            for (index, plane) in planes.enumerated() {
                let whole = tileRow * (layout.tileSize(ofPlane: plane.source).height / plane.block.height) + row
                let end = (plane.size.height + plane.block.height - 1) / plane.block.height
                guard whole < end, plane.neededRows.contains(whole) else { continue }
                consumer.consume(samples(row, plane.source), plane: index)
            }
        }
        stepCount = layout.rowCount == 1 ? stepEnd : min((tileRow + 1) * stepsPerTileRow, stepEnd)
    }

    /// Passes an image that consists of one picture to the consumer, one row of samples after the other.
    ///
    /// - Parameters:
    ///   - guardian: is asked after every 16 rows of the coarsest plane whether to go on.
    ///   - samples: returns the samples of the row `row` in the decoder's plane `plane`.
    func feedPicture(
        checking guardian: DecodeGuard, _ samples: (_ row: Int, _ plane: Int) -> UnsafeRawPointer
    ) throws(RenderError) {
        var step = 0
        while step < stepEnd {
            if step % 16 == 0 { try guardian.check() }
            step += feed(step, below: stepEnd, samples)
        }
    }

    /// Passes neutral grey to the consumer in place of all rows that have not been passed on yet.
    ///
    /// - Parameter tileRow: the row of tiles at which the grey ends; nil for the lower edge of the image.
    func feedGrey(above tileRow: Int? = nil) {
        let end = tileRow.map { min(stepEnd, $0 * stepsPerTileRow) } ?? stepEnd
        guard stepCount < end else { return }
        let grey = layout.greyRow(width: layout.planeSizes[0].width)
        for step in stepCount..<end { feed(step) { _, _ in UnsafeRawPointer(grey.bytes) } }
    }

    /// Passes a row of the coarsest plane to the consumer, together with the rows of the other planes that cover the
    /// same part of the picture.
    ///
    /// - Parameter samples: returns the samples of the row `row` in the decoder's plane `plane`.
    @inline(__always)
    private func feed(_ step: Int, _ samples: (_ row: Int, _ plane: Int) -> UnsafeRawPointer) {
        for (index, plane) in planes.enumerated() {
            for row in rows(ofStep: step, plane) where plane.neededRows.contains(row / plane.block.height) {
                let made = plane.reducer.add(samples(row, plane.source), isLast: row == plane.size.height - 1)
                if let made { consumer.consume(made, plane: index) }
            }
        }
        stepCount = step + 1
    }

    /// Passes one or more steps to the consumer: whole blocks of all planes if they can be reduced at once, and if the
    /// steps before have ended with whole blocks.
    ///
    /// - Parameter end: the step after the last one whose samples are there.
    /// - Returns: the number of steps.
    @inline(__always)
    private func feed(
        _ step: Int, below end: Int, _ samples: (_ row: Int, _ plane: Int) -> UnsafeRawPointer
    ) -> Int {
        guard blockSteps > 0, step % blockSteps == 0, step + blockSteps <= end,
            planes.allSatisfy({ (step / blockSteps + 1) * $0.block.height <= $0.size.height })
        else {
            feed(step, samples)
            return 1
        }
        let row = step / blockSteps
        for (index, plane) in planes.enumerated() where plane.neededRows.contains(row) {
            let made = plane.reducer.addBlock { samples(row * plane.block.height + $0, plane.source) }
            consumer.consume(made, plane: index)
        }
        stepCount = step + blockSteps
        return blockSteps
    }

    private var stepsPerTileRow: Int { layout.tileSize(ofPlane: 0).height / layout.subsampling.height }

    /// The number of steps in the whole image. A step passes one row of the coarsest plane to the consumer, so this is
    /// the number of rows of that plane.
    private var stepEnd: Int {
        (layout.planeSizes[0].height + layout.subsampling.height - 1) / layout.subsampling.height
    }

    private func rows(ofStep step: Int, _ plane: Plane) -> Range<Int> {
        let height = plane.source == 0 ? layout.subsampling.height : 1
        return min(step * height, plane.size.height)..<min((step + 1) * height, plane.size.height)
    }
}
