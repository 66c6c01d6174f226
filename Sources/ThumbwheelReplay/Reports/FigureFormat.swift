/// Formats the figures of a report: digits in groups of three, the same on every machine and in every locale.
enum FigureFormat {
    /// The text for a missing figure.
    static let none = "–"
    /// A narrow space at which no line is broken.
    private static let space = "\u{202F}"

    static func count(_ value: Int) -> String {
        let digits = String(value.magnitude)
        var text = value < 0 ? "−" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += space }
            text.append(digit)
        }
        return text
    }

    /// Formats a count with its noun: `1 worker`, `2 workers`.
    static func count(_ value: Int, _ noun: String) -> String { "\(count(value)) \(noun)\(value == 1 ? "" : "s")" }

    /// Formats a number with `places` digits after the point.
    static func decimal(_ value: Double, places: Int = 1) -> String {
        var factor = 1
        for _ in 0..<places { factor *= 10 }
        // Beyond this limit a Double has no digits after the point, and far beyond it does not fit an Int.
        guard value.magnitude < 1e12 else { return value.isNaN ? none : value < 0 ? "−∞" : "∞" }
        let scaled = Int((value.magnitude * Double(factor)).rounded())
        let sign = value < 0 && scaled > 0 ? "−" : ""
        guard places > 0 else { return sign + count(scaled) }
        let fraction = String(scaled % factor)
        return sign + count(scaled / factor) + "." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    /// Formats a number without trailing zeros after the point: `60`, `59.94`.
    static func short(_ value: Double) -> String {
        let text = decimal(value, places: 2)
        guard text.contains(".") else { return text }
        let end = text.lastIndex { $0 != "0" } ?? text.startIndex
        return String(text[end] == "." ? text[..<end] : text[...end])
    }

    /// Formats the share of `part` in `whole` in per cent. A share below the whole is never written as 100 %, and a share above
    /// nothing never as 0 %.
    static func share(_ part: Double, of whole: Double) -> String {
        guard whole > 0, part.isFinite else { return none }
        let percent = part / whole * 100
        let text =
            switch percent {
            case 0: "0"
            case ..<0.01: "< 0.01"
            case 99.99..<100: "> 99.99"
            default: decimal(percent, places: 2)
            }
        return text + space + "%"
    }

    static func share(_ part: Int, of whole: Int) -> String { share(Double(part), of: Double(whole)) }

    /// Formats a byte count in the largest binary unit that it fills.
    static func bytes(_ count: Int) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var value = Double(count)
        var unit = 0
        while value.magnitude >= 1024, unit + 1 < units.count {
            value /= 1024
            unit += 1
        }
        let isWhole = value == value.rounded()
        return decimal(value, places: isWhole ? 0 : 1) + space + units[unit]
    }

    /// Formats a latency in milliseconds, or in seconds if it is a second or more.
    static func latency(milliseconds: Double) -> String {
        milliseconds < 1000
            ? decimal(milliseconds, places: milliseconds < 100 ? 1 : 0) + space + "ms"
            : decimal(milliseconds / 1000, places: 2) + space + "s"
    }

    static func seconds(_ value: Double) -> String { short(value) + space + "s" }
}
