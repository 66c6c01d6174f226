/// A place on Earth in the WGS 84 system.
public struct Location: Hashable, Sendable, Codable {
    /// Degrees north of the equator, −90 to 90.
    public var latitude: Double
    /// Degrees east of Greenwich, −180 to 180.
    public var longitude: Double
    /// Metres above sea level; nil if unknown.
    public var altitude: Double?

    /// Makes a place; angles are in degrees, the altitude in metres.
    public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }
}
