extension CaptureDate {
    /// The years that the clock of a video camera can show.
    private static let years = 1990...2199

    /// Makes a date in UTC from seconds since the beginning of 1970; nil for years in which no camera recorded.
    init?(secondsSince1970 seconds: Int, millisecond: Int = 0) {
        // The limit is the beginning of the year 2200, so that the numbers below do not overflow.
        guard 0..<7_258_118_400 ~= seconds else { return nil }
        // The days are counted from 1 March 0000, so that the leap day is the last day of a year (H. Hinnant,
        // "chrono-compatible low-level date algorithms").
        let days = seconds / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        guard Self.years ~= year else { return nil }
        let time = seconds % 86_400
        self.init(
            year: year, month: month, day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1, hour: time / 3600,
            minute: time / 60 % 60, second: time % 60, millisecond: millisecond, secondsFromGMT: 0)
    }
}
