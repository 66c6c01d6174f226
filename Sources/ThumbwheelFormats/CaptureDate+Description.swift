extension CaptureDate: CustomStringConvertible {
    /// The date in ISO 8601, without a time zone if none is known: `2002-01-20T13:52:46+01:00`.
    public var description: String {
        func digits(_ value: Int, _ count: Int = 2) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let day = "\(digits(year, 4))-\(digits(month))-\(digits(day))"
        var text = "\(day)T\(digits(hour)):\(digits(minute)):\(digits(second))"
        if millisecond > 0 { text += ".\(digits(millisecond, 3))" }
        if let secondsFromGMT {
            let minutes = abs(secondsFromGMT) / 60
            text += "\(secondsFromGMT < 0 ? "-" : "+")\(digits(minutes / 60)):\(digits(minutes % 60))"
        }
        return text
    }
}
