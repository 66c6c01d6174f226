/// How a report writes figures: digits in groups of three, the same on every machine and in every locale.
enum FigureFormat {
    /// What stands where there is no figure.
    static let none = "–"
    /// Narrow, and no line is broken at it.
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

    /// So many of something: `1 worker`, `2 workers`.
    static func count(_ value: Int, _ noun: String) -> String { "\(count(value)) \(noun)\(value == 1 ? "" : "s")" }

    /// A number with `places` digits after the point.
    static func decimal(_ value: Double, places: Int = 1) -> String {
        var factor = 1
        for _ in 0..<places { factor *= 10 }
        // Past this a Double has no digits after the point, and far past it does not fit an Int.
        guard value.magnitude < 1e12 else { return value.isNaN ? none : value < 0 ? "−∞" : "∞" }
        let scaled = Int((value.magnitude * Double(factor)).rounded())
        let sign = value < 0 && scaled > 0 ? "−" : ""
        guard places > 0 else { return sign + count(scaled) }
        let fraction = String(scaled % factor)
        return sign + count(scaled / factor) + "." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    /// A number without the noughts that say nothing: `60`, `59.94`.
    static func short(_ value: Double) -> String {
        let text = decimal(value, places: 2)
        guard text.contains(".") else { return text }
        let end = text.lastIndex { $0 != "0" } ?? text.startIndex
        return String(text[end] == "." ? text[..<end] : text[...end])
    }

    /// How much of `whole` is `part`. What is not all is never written as 100 %, nor what is not nothing as 0 %.
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

    /// Bytes, in the largest binary unit that they fill.
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

    /// A latency in the unit that people speak of.
    static func latency(milliseconds: Double) -> String {
        milliseconds < 1000
            ? decimal(milliseconds, places: milliseconds < 100 ? 1 : 0) + space + "ms"
            : decimal(milliseconds / 1000, places: 2) + space + "s"
    }

    static func seconds(_ value: Double) -> String { short(value) + space + "s" }
}
