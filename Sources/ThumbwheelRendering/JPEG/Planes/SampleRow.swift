/// Takes what lies over each other in a JPEG's planes, row by row, at the image's own scale.
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

/// Between two neighbouring samples of a row or column: the first, and how much of the next, in 256ths.
struct SampleInterpolation {
    let index: Int
    let weight: Int32

    /// For a pixel's centre in a plane that has `step` samples for a pixel.
    init(pixel: Int, step: Double, count: Int) {
        let place = max(0, (Double(pixel) + 0.5) * step - 0.5)
        let lower = min(Int(place), count - 1)
        index = lower
        weight = lower == count - 1 ? 0 : Int32(((place - Double(lower)) * 256).rounded())
    }

    /// Samples up to the last one that counts.
    var end: Int { index + (weight > 0 ? 2 : 1) }
}
