/// Takes the rows of one strip or tile, and passes them on.
final class TIFFBlockReceiver: PlaneRowConsumer {
    private let needed: [(rows: Range<Int>, columns: Range<Int>)]
    private var nextRows: [Int]
    private let pass: (_ samples: UnsafePointer<PlaneSample>, _ row: Int, _ plane: Int) -> Void

    /// - Parameters:
    ///   - needed: for each plane, the rows and columns of the strip or tile that are needed.
    ///   - pass: takes a needed row of a plane, whose index is counted from the upper edge of the strip or tile.
    init(
        needed: [(rows: Range<Int>, columns: Range<Int>)],
        pass: @escaping (_ samples: UnsafePointer<PlaneSample>, _ row: Int, _ plane: Int) -> Void
    ) {
        self.needed = needed
        nextRows = needed.map(\.rows.lowerBound)
        self.pass = pass
    }

    func neededRows(ofPlane plane: Int) -> Range<Int> { needed[plane].rows }

    func neededColumns(ofPlane plane: Int) -> Range<Int> { needed[plane].columns }

    func consume(_ row: UnsafePointer<PlaneSample>, plane: Int) {
        pass(row, nextRows[plane], plane)
        nextRows[plane] += 1
    }
}
