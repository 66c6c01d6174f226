/// Takes the rows of an image's planes together, one row of every plane at a time. Each row has one sample for each
/// pixel of the image, because subsampled planes have been interpolated.
protocol SampleRowConsumer: AnyObject {
    /// The rows that the consumer needs. The consumer gets all these rows, in order.
    var neededRows: Range<Int> { get }
    /// The columns that the consumer reads in its needed rows.
    var neededColumns: Range<Int> { get }
    /// Takes the next row: the samples of all planes from column 0. If the image has only one plane, all three
    /// arguments point to the row of that plane. The consumer may read up to seven samples behind the row's last
    /// sample, but must not use their values.
    func consume(
        _ first: UnsafePointer<PlaneSample>, _ second: UnsafePointer<PlaneSample>, _ third: UnsafePointer<PlaneSample>)
}
