import Foundation

/// A date and time as a camera wrote it: the time of a wall clock, and only sometimes the clock's time zone.
public struct CaptureDate: Sendable, Hashable {
    /// The year of the Gregorian calendar.
    public var year: Int
    /// The month, 1 for January.
    public var month: Int
    /// The day of the month, from 1 on.
    public var day: Int
    /// The hour, 0 to 23.
    public var hour: Int
    /// The minute, 0 to 59.
    public var minute: Int
    /// The second, 0 to 59.
    public var second: Int
    /// Thousandths of a second, from EXIF's SubSecTime tags.
    public var millisecond: Int
    /// Seconds ahead of UTC, from EXIF's OffsetTime tags; nil if the file does not state them.
    public var secondsFromGMT: Int?

    /// Makes a date as it was written; nothing is checked.
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

extension CaptureDate {
    /// Returns the moment that the camera's clock showed.
    ///
    /// - Parameter timeZone: the time zone that is assumed if the file does not state one.
    /// - Returns: the moment; nil for a date that is in no calendar, such as month 13, the thirtieth of February or all
    ///   zeros.
    public func date(assuming timeZone: TimeZone) -> Date? {
        guard isInCalendar else { return nil }
        let wallClock = Double(daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second) + Double(millisecond) / 1000
        if let secondsFromGMT { return Date(timeIntervalSince1970: wallClock - Double(secondsFromGMT)) }
        // The offset of a time zone depends on the moment, which is not known yet. So the moment is approximated in two
        // rounds. They are enough, because an offset changes only rarely, and by about an hour.
        var date = Date(timeIntervalSince1970: wallClock - Double(timeZone.secondsFromGMT()))
        for _ in 0..<2 {
            date = Date(timeIntervalSince1970: wallClock - Double(timeZone.secondsFromGMT(for: date)))
        }
        return date
    }

    /// Whether the day and the time exist in the calendar; a leap second does.
    var isInCalendar: Bool {
        guard 1...9999 ~= year, 1...12 ~= month, 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second,
            0...999 ~= millisecond
        else { return false }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return 1...days[month - 1] ~= day
    }

    /// Days from 1 January 1970 in the proleptic Gregorian calendar. Years are counted from March, so that the leap day
    /// is the last day of a year (H. Hinnant, "chrono-compatible low-level date algorithms").
    private var daysSince1970: Int {
        let shiftedYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shiftedYear * 365 + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400 + dayOfYear - 719_468
    }
}
