import ThumbwheelFormats

/// Passes a decode's rows on to all that are made of them: what any of them needs is decoded once.
final class SharedRows: RowConsumer {
    let neededRows: Range<Int>
    let neededColumns: Range<Int>
    private let consumers: [any RowConsumer]
    private var nextRow: Int

    /// - Parameter consumers: at least one.
    init(_ consumers: [any RowConsumer]) {
        self.consumers = consumers
        neededRows = .covering(consumers.map(\.neededRows))
        neededColumns = .covering(consumers.map(\.neededColumns))
        nextRow = neededRows.lowerBound
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        for consumer in consumers where consumer.neededRows.contains(nextRow) { consumer.consume(row) }
        nextRow += 1
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
