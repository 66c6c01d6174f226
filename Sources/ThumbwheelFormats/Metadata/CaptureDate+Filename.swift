extension CaptureDate {
    /// Reads the date in a file name of a common camera, phone or program. Most names have a day and a time:
    /// `IMG_20230102_030405`, `Screenshot_2023-01-02-03-04-05`, `signal-2023-01-02-030405`,
    /// `Screenshot 2023-01-02 at 03.04.05`, `WhatsApp Image 2023-01-02 at 3.04.05 PM`. WhatsApp's names may have a day
    /// alone, which counts as its midnight: `IMG-20230102-WA0001`.
    ///
    /// The Pixel's names (`PXL_20230102_030405678`) are in Greenwich time; all other names are in the camera's local
    /// time.
    init?(filename: String) {
        let name = [UInt8](filename.utf8)
        for start in name.indices where start == 0 || !(0x30...0x39 ~= name[start - 1]) {
            guard let date = Self.date(in: name, at: start) else { continue }
            self = date
            return
        }
        return nil
    }

    /// The years that a camera's file name can state.
    private static let years = 1990...2099

    private static func date(in name: [UInt8], at start: Int) -> CaptureDate? {
        var digits = DigitCursor(name, at: start)
        guard let year = digits.number(4), years ~= year else { return nil }
        let isSeparated = digits.skip("-_.")
        guard let month = digits.number(2), digits.skip("-_.") == isSeparated, let day = digits.number(2) else {
            return nil
        }
        var date = CaptureDate(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
        guard date.isInCalendar else { return nil }
        if digits.skip(word: "-WA"), digits.isAtDigit { return date }
        guard date.readTime(&digits), date.isInCalendar else { return nil }
        if name.starts(with: "PXL_".utf8) { date.secondsFromGMT = 0 }
        return date
    }

    /// Reads the time of day after the day; returns false if there is none.
    private mutating func readTime(_ digits: inout DigitCursor) -> Bool {
        guard digits.skip(word: " at ") || digits.skip("-_ T") else { return false }
        // A twelve-hour clock has only one digit for an hour before ten.
        var clock = digits
        guard
            let hour = clock.number(2)
                ?? {
                    clock = digits
                    return clock.number(1)
                }()
        else { return false }
        let isSeparated = clock.skip("-._:h")
        guard let minute = clock.number(2), clock.skip("-._:m") == isSeparated, let second = clock.number(2) else {
            return false
        }
        (self.hour, self.minute, self.second) = (hour, minute, second)
        let fraction = clock.run()
        // Pixels write thousandths of seconds right after the seconds. Any other count of digits belongs to another
        // number.
        guard fraction.isEmpty || fraction.count == 3 else { return false }
        if fraction.count == 3 { millisecond = Self.milliseconds(fraction) }
        // The blank in front of the letters may be a narrow one (U+202F), as macOS writes it.
        if !clock.skip(" ") { _ = clock.skip(word: "\u{202F}") }
        let isAfternoon = clock.skip(word: "PM")
        guard isAfternoon || clock.skip(word: "AM") else { return true }
        guard 1...12 ~= hour else { return false }
        self.hour = hour % 12 + (isAfternoon ? 12 : 0)
        return true
    }
}
