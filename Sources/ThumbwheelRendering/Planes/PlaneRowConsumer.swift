/// Takes the rows of an image's planes, each plane's from top to bottom, and all planes' in step: a row comes when its lower
/// edge does.
protocol PlaneRowConsumer: AnyObject {
    /// The rows of a plane that it wants to see, all of them, in order.
    func neededRows(ofPlane plane: Int) -> Range<Int>
    /// The columns that it looks at in those rows.
    func neededColumns(ofPlane plane: Int) -> Range<Int>
    /// Takes the next of those rows, which begins at column 0.
    func consume(_ row: UnsafePointer<PlaneSample>, plane: Int)
}
