/// A place between two neighbouring samples of a row or column: the index of the first sample, and the weight of the
/// second sample in 256ths. The first sample has the rest of the weight.
struct SampleInterpolation {
    let index: Int
    let weight: Int32

    /// Finds the place of a pixel's centre in a plane that has `step` samples per pixel.
    init(pixel: Int, step: Double, count: Int) {
        let place = max(0, (Double(pixel) + 0.5) * step - 0.5)
        let lower = min(Int(place), count - 1)
        index = lower
        weight = lower == count - 1 ? 0 : Int32(((place - Double(lower)) * 256).rounded())
    }

    /// The index after the last sample whose weight is not 0.
    var end: Int { index + (weight > 0 ? 2 : 1) }
}
