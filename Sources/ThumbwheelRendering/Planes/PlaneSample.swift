/// A sample of a plane in fixed point, with `binaryPlaces` fractional bits; 0 is middle grey, or no colour in a plane
/// of chroma.
///
/// The fractional bits are needed at reduced scales. There a sample is the mean of many pixels, and more accurate than
/// a whole number. Rounding it would cost as much quality as decoding at a smaller scale.
typealias PlaneSample = Int16

extension PlaneSample {
    static var binaryPlaces: Int16 { 5 }
    /// The difference between the largest sample (127 in fixed point) and the smallest sample (−128).
    static var span: Int16 { 255 &<< 5 }
}
