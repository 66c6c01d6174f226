/// Takes what lies over each other in an image's planes, row by row, at the image's own scale.
protocol SampleRowConsumer: AnyObject {
    /// The rows it wants to see, all of them, in order.
    var neededRows: Range<Int> { get }
    /// The columns that it looks at in those rows.
    var neededColumns: Range<Int> { get }
    /// Takes the next row: the planes' samples from column 0, the first plane's thrice where there is only one. Seven more
    /// can be read behind the last.
    func consume(
        _ first: UnsafePointer<PlaneSample>, _ second: UnsafePointer<PlaneSample>, _ third: UnsafePointer<PlaneSample>)
}
