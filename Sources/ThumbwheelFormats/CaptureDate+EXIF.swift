extension CaptureDate {
    /// Reads EXIF's date such as `2008:05:30 15:56:01`, its SubSecTime digits, and its OffsetTime such as `+02:00`.
    ///
    /// Returns nil for the blanks or zeros that cameras write if they have lost the time. Separators are ignored, and a
    /// blank may stand for a leading zero, as some cameras write it.
    init?(exif text: [UInt8], subsecond: [UInt8]?, offset: [UInt8]?) {
        guard text.count >= 19 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in text[range] {
                guard byte == 0x20 || 0x30...0x39 ~= byte else { return nil }
                value = value * 10 + (byte == 0x20 ? 0 : Int(byte) - 0x30)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
        else { return nil }
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            millisecond: Self.milliseconds(subsecond ?? []), secondsFromGMT: offset.flatMap(Self.secondsFromGMT))
        guard isInCalendar else { return nil }
    }

    /// Reads the digits as a fraction of a second: `5` is half a second, `05` a twentieth.
    static func milliseconds(_ digits: [UInt8]) -> Int {
        var value = 0
        var weight = 100
        for byte in digits.prefix(3) {
            guard 0x30...0x39 ~= byte else { break }
            value += (Int(byte) - 0x30) * weight
            weight /= 10
        }
        return value
    }

    /// Reads a zone such as `Z`, `+02:00` or `-0500`.
    static func secondsFromGMT(_ text: [UInt8]) -> Int? {
        if text == [0x5A] { return 0 }
        let digits = text.dropFirst().filter { $0 != 0x3A }.prefix(4)
        guard text.count >= 5, text[0] == 0x2B || text[0] == 0x2D, digits.count == 4 else { return nil }
        guard digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        let values = digits.map { Int($0) - 0x30 }
        let minutes = (values[0] * 10 + values[1]) * 60 + values[2] * 10 + values[3]
        // The time zone farthest from Greenwich is fourteen hours away.
        guard values[2] < 6, minutes <= 14 * 60 else { return nil }
        return (text[0] == 0x2D ? -60 : 60) * minutes
    }
}
