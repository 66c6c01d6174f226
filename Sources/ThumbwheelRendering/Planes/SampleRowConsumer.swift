/// Takes the rows of an image's planes together, one row of every plane at a time. Each row has one sample for each
/// pixel of the image, because subsampled planes have been interpolated.
protocol SampleRowConsumer: AnyObject {
    /// The rows that the consumer needs. The consumer gets all these rows, in order.
    var neededRows: Range<Int> { get }
    /// The columns that the consumer reads in its needed rows.
    var neededColumns: Range<Int> { get }
    /// Takes the next row: the samples of all planes from column 0. An image with one plane passes that plane three
    /// times. The seven samples after the last sample of the row can be read as well.
    func consume(
        _ first: UnsafePointer<PlaneSample>, _ second: UnsafePointer<PlaneSample>, _ third: UnsafePointer<PlaneSample>)
}
