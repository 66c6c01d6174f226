/// The direction in which a camera looked.
public struct Heading: Sendable, Hashable {
    /// The direction in degrees clockwise from north, at least 0 and less than 360.
    public var degrees: Double
    /// Whether the degrees count from the magnetic north of a compass; if not, they count from the geographic north.
    public var isMagnetic: Bool

    /// Makes a direction as it was written; nothing is checked.
    public init(degrees: Double, isMagnetic: Bool = false) {
        self.degrees = degrees
        self.isMagnetic = isMagnetic
    }
}

extension Heading: CustomStringConvertible {
    /// The direction as text, such as `87.5° from magnetic north`.
    public var description: String { "\(degrees)° from \(isMagnetic ? "magnetic" : "true") north" }
}
