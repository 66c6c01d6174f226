import ThumbwheelCore
import ThumbwheelFormats

/// Passes a decode's rows on to all that are made of them: what any of them needs is decoded once.
final class SharedRows: RowConsumer {
    let neededRows: Range<Int>
    private let consumers: [any RowConsumer]
    private var nextRow: Int

    /// - Parameter consumers: at least one.
    init(_ consumers: [any RowConsumer]) {
        self.consumers = consumers
        neededRows = .covering(consumers.map(\.neededRows))
        nextRow = neededRows.lowerBound
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        for consumer in consumers where consumer.neededRows.contains(nextRow) { consumer.consume(row) }
        nextRow += 1
    }
}

/// The same for a JPEG's planes.
final class SharedPlaneRows: PlaneRowConsumer {
    private let consumers: [any PlaneRowConsumer]
    // By plane: of each consumer, and of any.
    private let neededRows: [[Range<Int>]]
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

extension Bitmap {
    /// Makes a bitmap for each plan, all filled in one go.
    ///
    /// - Parameter fill: called once, with where the rows of each plan's output belong.
    static func filled(
        by plans: [ResamplingPlan], orientation: ImageOrientation, _ fill: ([OrientedStore]) -> Void
    ) -> [Bitmap] {
        var bitmaps: [Bitmap] = []
        func add(_ stores: [OrientedStore]) {
            guard stores.count < plans.count else { return fill(stores) }
            let plan = plans[stores.count]
            bitmaps.append(
                Bitmap(size: orientation.displaySize(of: plan.outputSize), format: plan.format) { pixels in
                    add(
                        stores + [
                            OrientedStore(
                                pixels, storedSize: plan.outputSize, format: plan.format, orientation: orientation)
                        ])
                })
        }
        add([])
        // The last to be begun is the first to be whole.
        return bitmaps.reversed()
    }
}

extension Range where Bound == Int {
    /// The smallest range that holds all of the given ones, empty ones left out.
    fileprivate static func covering(_ ranges: [Range<Int>]) -> Range<Int> {
        let ranges = ranges.filter { !$0.isEmpty }
        guard let lower = ranges.map(\.lowerBound).min(), let upper = ranges.map(\.upperBound).max() else {
            return 0..<0
        }
        return lower..<upper
    }
}
