/// Takes the rows of an image's planes, each plane's from top to bottom. All planes advance in step: a row comes when
/// the decode reaches the row's lower edge.
protocol PlaneRowConsumer: AnyObject {
    /// The rows of a plane that the consumer needs. It gets all of them, in order.
    func neededRows(ofPlane plane: Int) -> Range<Int>
    /// The columns of a plane that the consumer looks at in those rows.
    func neededColumns(ofPlane plane: Int) -> Range<Int>
    /// Takes the next needed row of a plane, which begins at column 0.
    func consume(_ row: UnsafePointer<PlaneSample>, plane: Int)
}
