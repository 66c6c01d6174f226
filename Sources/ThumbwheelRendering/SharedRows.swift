import ThumbwheelFormats

/// Passes each row of one decode on to several consumers, so that rows that several images need are decoded only once.
final class SharedRows: RowConsumer {
    let neededRows: Range<Int>
    let neededColumns: Range<Int>
    private let consumers: [any RowConsumer]
    private var nextRow: Int

    /// - Parameter consumers: the receivers of the rows; at least one.
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
    /// Makes one bitmap for each plan, and fills all of them in one call of `fill`.
    ///
    /// - Parameter fill: called once, with one `OrientedStore` for each plan. A store writes the rows of its plan's
    ///   output to their places in the bitmap.
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
        // `add` calls itself inside the closure that fills a bitmap, so the bitmap of the last plan is completed and
        // appended first. The reversal puts the bitmaps into the order of the plans.
        return bitmaps.reversed()
    }
}
