import ThumbwheelCore

extension Location {
    /// The altitudes at which photographs may be taken, in metres above sea level.
    private static let altitudes = -12_000.0...1_000_000

    /// Makes a place from numbers in a file; nil if no place on Earth has these coordinates. If only the altitude is
    /// impossible, the place is made without it.
    ///
    /// Cameras without a position write zeros for both coordinates, so the point at the equator and Greenwich is no
    /// place.
    init?(checking latitude: Double?, _ longitude: Double?, altitude: Double?) {
        guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180,
            latitude != 0 || longitude != 0
        else { return nil }
        self.init(
            latitude: latitude, longitude: longitude,
            altitude: altitude.flatMap { Self.altitudes ~= $0 ? $0 : nil })
    }
}

extension Heading {
    /// Makes a direction from a number in a file; nil if it is no direction. 360 degrees are north.
    init?(checking degrees: Double?, isMagnetic: Bool) {
        guard let degrees, 0...360 ~= degrees else { return nil }
        self.init(degrees: degrees == 360 ? 0 : degrees, isMagnetic: isMagnetic)
    }
}
