import Foundation

/// Dates as HTTP writes them (RFC 9110, section 5.6.7), in whole seconds since 1970.
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns the text of a time, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(_ seconds: Int) -> String {
        let (day, rest) = floored(seconds, 86_400)
        let (year, month, date) = civil(day)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let name = days[floored(day, 7).rest]
        let clock = "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
        return "\(name), \(two(date)) \(months[month - 1]) \(String(10_000 + year).suffix(4)) \(clock) GMT"
    }

    /// Reads the three forms that a recipient must take: the one that `text` writes, `Sunday, 06-Nov-94 08:49:37 GMT`, and
    /// `Sun Nov  6 08:49:37 1994`. Nil for anything else, which the recipient then ignores.
    ///
    static func seconds(_ text: some StringProtocol) -> Int? {
        seconds(text, now: Int(Date().timeIntervalSince1970))
    }

    /// - Parameter now: The present time, which tells the century of a year of two digits.
    static func seconds(_ text: some StringProtocol, now: Int) -> Int? {
        let words = text.split(separator: " ")
        switch words.count {
        case 6 where words[5] == "GMT": return seconds(words[1], words[2], Int(words[3]), words[4])
        case 5: return seconds(words[2], words[1], Int(words[4]), words[3])
        case 4 where words[3] == "GMT":
            let parts = words[1].split(separator: "-")
            guard parts.count == 3, parts[2].utf8.count == 2, let short = Int(parts[2]) else { return nil }
            let present = civil(floored(now, 86_400).quotient).year
            let year = present - present % 100 + short
            // A year more than fifty years ahead is a past one (RFC 9110, section 5.6.7).
            return seconds(parts[0], parts[1], year > present + 50 ? year - 100 : year, words[2])
        default: return nil
        }
    }

    private static func seconds(
        _ date: some StringProtocol, _ month: some StringProtocol, _ year: Int?, _ clock: some StringProtocol
    ) -> Int? {
        guard let date = Int(date), (1...31).contains(date), let month = months.firstIndex(of: String(month)),
            let year, (1...9999).contains(year)
        else { return nil }
        let clock = clock.split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        return day(year, month + 1, date) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    /// The year, month and date of a day that is counted from 1 January 1970, in the Gregorian calendar. Years are counted
    /// from March, so that a leap day is the last of its year.
    static func civil(_ day: Int) -> (year: Int, month: Int, date: Int) {
        let (era, dayOfEra) = floored(day + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func day(_ year: Int, _ month: Int, _ date: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floored(year, 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + date - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func floored(_ number: Int, _ divisor: Int) -> (quotient: Int, rest: Int) {
        let rest = (number % divisor + divisor) % divisor
        return ((number - rest) / divisor, rest)
    }
}
