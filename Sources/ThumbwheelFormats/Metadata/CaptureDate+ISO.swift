extension CaptureDate {
    /// Reads a date as XMP and PNG texts state it: `2023-01-02T03:04:05.67+01:00`, with colons or hyphens in the day, a
    /// blank for the `T`, and without fraction, zone, seconds or time of day. A day without a time of day begins at
    /// midnight.
    init?(iso text: [UInt8]) {
        var digits = DigitCursor(text)
        guard let year = digits.number(4), digits.skip("-:"), let month = digits.number(2), digits.skip("-:"),
            let day = digits.number(2)
        else { return nil }
        var date = CaptureDate(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
        if digits.skip("T "), let hour = digits.number(2), digits.skip(":"), let minute = digits.number(2) {
            (date.hour, date.minute) = (hour, minute)
            if digits.skip(":"), let second = digits.number(2) { date.second = second }
            if digits.skip(".,") { date.millisecond = Self.milliseconds(digits.run()) }
            _ = digits.skip(" ")
            date.secondsFromGMT = Self.secondsFromGMT(digits.rest)
        }
        guard date.isInCalendar else { return nil }
        self = date
    }

    static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Reads a date as mail states it (RFC 5322, 3.3), which PNG recommends: `Mon, 02 Jan 2023 03:04:05 GMT`.
    init?(mail text: [UInt8]) {
        let words = text.split(maxSplits: 6) { $0 == 0x20 || $0 == 0x2C }.map { [UInt8]($0) }
        guard let first = words.firstIndex(where: { $0.allSatisfy { 0x30...0x39 ~= $0 } }), first <= 1,
            words.count >= first + 4
        else { return nil }
        let name = String(decoding: words[first + 1].prefix(3).map { $0 | 0x20 }, as: UTF8.self)
        var (days, years, clock) = (
            DigitCursor(words[first]), DigitCursor(words[first + 2]), DigitCursor(words[first + 3])
        )
        guard let month = Self.months.firstIndex(of: name), let day = days.number(words[first].count),
            let year = years.number(4), let hour = clock.number(2), clock.skip(":"), let minute = clock.number(2)
        else { return nil }
        let second = clock.skip(":") ? clock.number(2) : nil
        var zone = words.count > first + 4 ? words[first + 4] : []
        if zone == [UInt8]("GMT".utf8) || zone == [UInt8]("UTC".utf8) { zone = [0x5A] }
        self.init(
            year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second ?? 0,
            secondsFromGMT: Self.secondsFromGMT(zone))
        guard isInCalendar else { return nil }
    }
}
