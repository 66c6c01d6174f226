/// Receives the rows of an image's planes, one plane for each colour component. The rows of each plane come from top to
/// bottom. Planes may have different numbers of rows, but all advance through the image together: a row comes as soon
/// as the decode has reached the row's lower edge.
protocol PlaneRowConsumer: AnyObject {
    /// The rows of a plane that the consumer needs. The consumer gets all these rows, in order.
    func neededRows(ofPlane plane: Int) -> Range<Int>
    /// The columns of a plane that the consumer reads in its needed rows.
    func neededColumns(ofPlane plane: Int) -> Range<Int>
    /// Takes the next needed row of a plane. Rows outside the plane's `neededRows` are not passed. `row` points to the
    /// sample in column 0.
    func consume(_ row: UnsafePointer<PlaneSample>, plane: Int)
}
