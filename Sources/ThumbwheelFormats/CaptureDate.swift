import Foundation

/// A date and time as a camera wrote it: a clock on a wall, and only sometimes the zone that it was in.
public struct CaptureDate: Sendable, Hashable {
    public var year: Int
    public var month: Int
    public var day: Int
    public var hour: Int
    public var minute: Int
    public var second: Int
    /// Thousandths of a second, from EXIF's SubSecTime tags.
    public var millisecond: Int
    /// Seconds ahead of UTC, from EXIF's OffsetTime tags; nil where the file does not tell.
    public var secondsFromGMT: Int?

    public init(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, millisecond: Int = 0,
        secondsFromGMT: Int? = nil
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
        self.secondsFromGMT = secondsFromGMT
    }
}
