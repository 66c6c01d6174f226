import ThumbwheelCore

/// Enlarges the planes of an image, one for each colour component, to the scale of the whole image. Subsampled planes
/// are interpolated linearly between the centres of their samples, as libjpeg's "fancy upsampling" does.
final class PixelAssembler: PlaneRowConsumer {
    private let rows: Range<Int>
    private let columns: Range<Int>
    private let consumer: any SampleRowConsumer
    private let histories: [PlaneHistory]
    private var nextRow: Int

    init(_ scales: PlaneScales, size: PixelSize, consumer: any SampleRowConsumer) {
        rows = consumer.neededRows
        columns = consumer.neededColumns
        self.consumer = consumer
        nextRow = rows.lowerBound
        let pixelRatio = scales.pixelRatio
        let rows = rows
        histories = scales.planes.map { plane in
            PlaneHistory(
                plane, horizontalStep: plane.horizontalRatio / pixelRatio,
                verticalStep: plane.verticalRatio / pixelRatio, width: size.width, firstRow: rows.lowerBound)
        }
    }

    func neededRows(ofPlane plane: Int) -> Range<Int> {
        guard !rows.isEmpty else { return 0..<0 }
        let history = histories[plane]
        return history.place(ofRow: rows.lowerBound).index..<history.place(ofRow: rows.upperBound - 1).end
    }

    func neededColumns(ofPlane plane: Int) -> Range<Int> { histories[plane].columns(for: columns) }

    func consume(_ row: UnsafePointer<PlaneSample>, plane: Int) {
        histories[plane].append(row)
        while nextRow < rows.upperBound, histories.allSatisfy({ $0.place(ofRow: nextRow).end <= $0.count }) {
            let first = histories[0].row(nextRow, columns: columns)
            if histories.count == 1 {
                consumer.consume(first, first, first)
            } else {
                consumer.consume(
                    first, histories[1].row(nextRow, columns: columns), histories[2].row(nextRow, columns: columns))
            }
            nextRow += 1
        }
    }
}
