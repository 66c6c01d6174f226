import ThumbwheelCore

/// Reduces the rows of a WebP's planes, which contain luma and chroma, and passes the reduced rows to a consumer.
final class WebPPlaneFeed {
    /// The number of steps between two checks of whether the decode must stop. A step is a row of chroma and two rows
    /// of luma.
    private static let guardedStepCount = 8

    private struct Plane {
        let reducer: SampleReducer
        let blockHeight: Int
        let height: Int
        let neededRows: Range<Int>
        /// The number of rows of the plane that one step reduces: two for luma, one for chroma.
        let stepHeight: Int
    }

    private let source: WebPPlanes
    private let planes: [Plane]
    private let consumer: any PlaneRowConsumer
    private let guardian: DecodeGuard
    /// The number of steps after which the consumer has all rows that it needs. A step is a row of chroma and two rows
    /// of luma.
    private let stepEnd: Int
    private var stepCount = 0
    /// The number of steps in a row of blocks, if the blocks of all planes can be reduced at once; otherwise 0.
    private let blockSteps: Int

    /// - Parameter blocks: for each plane, the size of the blocks of samples that are averaged into one.
    init(
        _ source: WebPPlanes, blocks: [PixelSize], to consumer: any PlaneRowConsumer, checking guardian: DecodeGuard
    ) {
        self.source = source
        self.consumer = consumer
        self.guardian = guardian
        planes = source.sizes.indices.map { index in
            let (size, block) = (source.sizes[index], blocks[index])
            let range = SampleRange(bitsPerSample: 8, isFullRange: false, isChroma: index > 0)
            return Plane(
                reducer: SampleReducer(
                    width: size.width, columns: block.width, rows: block.height, range: range,
                    needed: consumer.neededColumns(ofPlane: index)),
                blockHeight: block.height, height: size.height, neededRows: consumer.neededRows(ofPlane: index),
                stepHeight: index == 0 ? 2 : 1)
        }
        blockSteps = planes.allSatisfy(\.reducer.takesBlocks) ? blocks[0].height / 2 : 0
        stepEnd = planes.map { plane in
            let row = min(plane.neededRows.upperBound * plane.blockHeight, plane.height)
            return (row + plane.stepHeight - 1) / plane.stepHeight
        }.max()!
    }

    /// Whether the consumer has got all rows that it needs, so that the decode can end.
    var isComplete: Bool { stepCount == stepEnd }

    /// The fraction of the picture's height that has been passed on to the consumer.
    var fedFraction: Double { min(1, Double(2 * stepCount) / Double(planes[0].height)) }

    /// Passes on all rows that are complete once `rowCount` rows of luma are decoded.
    func feed(upTo rowCount: Int) throws(RenderError) {
        var end = rowCount == planes[0].height ? stepEnd : min(stepEnd, rowCount / 2)
        // Of a row of blocks that could be reduced at once, no part is reduced before all of it is decoded.
        if blockSteps > 0, end < stepEnd { end -= end % blockSteps }
        while stepCount < end {
            if stepCount % Self.guardedStepCount == 0 { try guardian.check() }
            if blockSteps > 0, stepCount % blockSteps == 0, stepCount + blockSteps <= end,
                planes.allSatisfy({ (stepCount / blockSteps + 1) * $0.blockHeight <= $0.height })
            {
                feedBlocks()
                continue
            }
            for (index, plane) in planes.enumerated() {
                for row in rows(ofStep: stepCount, plane) where plane.neededRows.contains(row / plane.blockHeight) {
                    let made = plane.reducer.add(source.row(row, plane: index), isLast: row == plane.height - 1)
                    if let made { consumer.consume(made, plane: index) }
                }
            }
            stepCount += 1
        }
    }

    private func feedBlocks() {
        let row = stepCount / blockSteps
        for (index, plane) in planes.enumerated() where plane.neededRows.contains(row) {
            let made = plane.reducer.addBlock { source.row(row * plane.blockHeight + $0, plane: index) }
            consumer.consume(made, plane: index)
        }
        stepCount += blockSteps
    }

    /// Passes on neutral grey for all rows that are missing or incomplete.
    func feedGrey() {
        let grey = AlignedPlane<PlaneSample>(pitch: source.sizes[0].width + 32)
        for step in stepCount..<max(stepCount, stepEnd) {
            for (index, plane) in planes.enumerated() {
                for row in rows(ofStep: step, plane) where plane.neededRows.contains(row / plane.blockHeight) {
                    let isBlockEnd = (row + 1) % plane.blockHeight == 0 || row == plane.height - 1
                    if isBlockEnd { consumer.consume(UnsafePointer(grey.start), plane: index) }
                }
            }
        }
    }

    private func rows(ofStep step: Int, _ plane: Plane) -> Range<Int> {
        min(step * plane.stepHeight, plane.height)..<min((step + 1) * plane.stepHeight, plane.height)
    }
}
