/// Passes the rows of an image's planes on to several consumers.
final class SharedPlaneRows: PlaneRowConsumer {
    private let consumers: [any PlaneRowConsumer]
    // For each plane, the rows that each consumer needs.
    private let neededRows: [[Range<Int>]]
    // For each plane, the rows from the first to the last that some consumer needs.
    private let allRows: [Range<Int>]
    private var nextRows: [Int]

    /// - Parameter consumers: at least one.
    init(_ consumers: [any PlaneRowConsumer], planeCount: Int) {
        self.consumers = consumers
        neededRows = (0..<planeCount).map { plane in consumers.map { $0.neededRows(ofPlane: plane) } }
        allRows = neededRows.map { .covering($0) }
        nextRows = allRows.map(\.lowerBound)
    }

    func neededRows(ofPlane plane: Int) -> Range<Int> { allRows[plane] }

    func neededColumns(ofPlane plane: Int) -> Range<Int> {
        .covering(consumers.map { $0.neededColumns(ofPlane: plane) })
    }

    func consume(_ row: UnsafePointer<PlaneSample>, plane: Int) {
        for index in consumers.indices where neededRows[plane][index].contains(nextRows[plane]) {
            consumers[index].consume(row, plane: plane)
        }
        nextRows[plane] += 1
    }
}
