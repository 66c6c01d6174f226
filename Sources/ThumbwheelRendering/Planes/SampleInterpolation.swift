/// A place between two neighbouring samples of a row or column: the index of the first sample, and the weight of the
/// second sample in 256ths. The first sample has the rest of the weight.
struct SampleInterpolation {
    let index: Int
    let weight: Int32

    /// Finds the two neighbouring samples between which a pixel's centre lies, and their weights. A centre before the
    /// first sample or behind the last sample is moved to that sample.
    ///
    /// - Parameters:
    ///   - pixel: the index of the pixel in its row or column.
    ///   - step: the number of samples for each pixel.
    ///   - count: the number of samples in the row or column.
    init(pixel: Int, step: Double, count: Int) {
        let place = max(0, (Double(pixel) + 0.5) * step - 0.5)
        let lower = min(Int(place), count - 1)
        index = lower
        weight = lower == count - 1 ? 0 : Int32((place - Double(lower)) * 256 + 0.5)
    }

    /// The index after the last sample whose weight is not 0.
    var end: Int { index + (weight > 0 ? 2 : 1) }
}
