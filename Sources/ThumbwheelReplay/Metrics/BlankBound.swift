/// A number of blank cell-frames that no strategy can stay under, whatever it knows of the future.
///
/// For each frame on its own: by then so much work has been done at most, split among the workers at will and spent on
/// nothing but the cells of this frame, cheapest first, and nothing was ever evicted. What that cannot fill is blank.
package struct BlankBound {
    package private(set) var blankCellFrames = 0
    private let workerCount: Int
    private var costs: [Double] = []

    package init(workerCount: Int) {
        self.workerCount = workerCount
    }

    /// - Parameters:
    ///   - milliseconds: from the start of the run to the frame.
    ///   - cellCosts: the least that a first image of each visible cell can take, in milliseconds.
    package mutating func addFrame(at milliseconds: Double, cellCosts: some Sequence<Double>) {
        costs.removeAll(keepingCapacity: true)
        costs.append(contentsOf: cellCosts)
        let work = milliseconds * Double(workerCount)
        // Everything fits in nearly every frame; only the first ones need the order.
        guard costs.reduce(0, +) > work else { return }
        costs.sort()
        var spent = 0.0
        for (index, cost) in costs.enumerated() {
            spent += cost
            if spent > work {
                blankCellFrames += costs.count - index
                return
            }
        }
    }
}
