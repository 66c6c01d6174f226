/// A sample of a plane: 0 for middle grey, with `binaryPlaces`.
///
/// At reduced scales a sample stands for many pixels, whose rounding errors cancel out in a full decode: rounding it to a
/// whole would cost as much quality as a smaller scale does.
typealias PlaneSample = Int16

extension PlaneSample {
    static var binaryPlaces: Int16 { 5 }
    /// The largest sample's distance from the smallest, which is -4096.
    static var span: Int16 { 255 &<< 5 }
}
