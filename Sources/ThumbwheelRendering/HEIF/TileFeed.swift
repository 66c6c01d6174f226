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

    /// - Parameter blocks: for each plane, the size of the block of samples that is averaged into one sample.
    init(
        _ layout: TileLayout, blocks: [PixelSize], _ colors: PictureColors, to consumer: any PlaneRowConsumer
    ) {
        self.layout = layout
        self.consumer = consumer
        planes = colors.order.enumerated().map { index, source in
            let (size, block) = (layout.planeSizes[source], blocks[source])
            var isChroma = false
            if case .luma = colors.colors { isChroma = source > 0 }
            let range = SampleRange(
                bitsPerSample: layout.bitsPerSample, isFullRange: colors.isFullRange, isChroma: isChroma)
            return Plane(
                source: source,
                reducer: SampleReducer(width: size.width, columns: block.width, rows: block.height, range: range),
                block: block, size: size, neededRows: consumer.neededRows(ofPlane: index),
                neededColumns: consumer.neededColumns(ofPlane: index))
        }
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

    /// The fraction of the image's height, from 0 to 1, that has been passed on to the consumer.
    var fedFraction: Double { Double(stepCount * layout.subsampling.height) / Double(layout.planeSizes[0].height) }

    /// Passes one row of tiles to the consumer, one row of samples after the other.
    ///
    /// - Parameter samples: returns the samples of one row in the decoder's plane `plane`. The number `row` is counted
    ///   from the upper edge of the row of tiles.
    func feedTileRow(_ tileRow: Int, _ samples: (_ row: Int, _ plane: Int) -> UnsafeRawPointer) {
        let height = layout.tileSize(ofPlane: 0).height / layout.subsampling.height
        let steps = layout.rowCount == 1 ? 0..<stepEnd : tileRow * height..<min((tileRow + 1) * height, stepEnd)
        for step in steps {
            feed(step) { row, plane in
                let firstRow = layout.rowCount == 1 ? 0 : tileRow * layout.tileSize(ofPlane: plane).height
                return samples(row - firstRow, plane)
            }
        }
    }

    /// Passes an image that consists of one picture to the consumer, one row of samples after the other.
    ///
    /// - Parameters:
    ///   - guardian: is asked after every 16 rows of the coarsest plane whether to go on.
    ///   - samples: returns the samples of the row `row` in the decoder's plane `plane`.
    func feedPicture(
        checking guardian: DecodeGuard, _ samples: (_ row: Int, _ plane: Int) -> UnsafeRawPointer
    ) throws(RenderError) {
        for step in 0..<stepEnd {
            if step % 16 == 0 { try guardian.check() }
            feed(step, samples)
        }
    }

    /// Passes neutral grey to the consumer in place of all rows that have not been passed on yet.
    func feedGrey() {
        let grey = AlignedPlane<UInt16>(pitch: layout.planeSizes[0].width + 16)
        let middle = UInt16(1 << (layout.bitsPerSample - 1))
        for x in 0..<layout.planeSizes[0].width {
            if layout.bytesPerSample == 2 {
                grey.start[x] = middle
            } else {
                grey.bytes.storeBytes(of: 128, toByteOffset: x, as: UInt8.self)
            }
        }
        for step in stepCount..<max(stepCount, stepEnd) { feed(step) { _, _ in UnsafeRawPointer(grey.bytes) } }
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
