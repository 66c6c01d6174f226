/// The form of the identifiers of assets and collections as text: hexadecimal digits in groups, as in a UUID, and a
/// suffix that shows the kind of the object.
struct IdentifierText {
    let suffix: String

    private static let groups = [8, 4, 4, 4, 12]

    func text(high: UInt64, low: UInt64) -> String {
        let digits = Array(Self.hexadecimal(high) + Self.hexadecimal(low))
        var start = 0
        let groups = Self.groups.map { count in
            defer { start += count }
            return String(digits[start..<start + count])
        }
        return groups.joined(separator: "-") + suffix
    }

    /// Returns the two words of a text that `text(high:low:)` has made; nil for any other text.
    func words(of text: String) -> (high: UInt64, low: UInt64)? {
        guard text.hasSuffix(suffix) else { return nil }
        let groups = text.dropLast(suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        let digits = groups.joined()
        // Only upper-case digits are accepted, because `text(high:low:)` writes upper-case digits, and identifiers are
        // also compared as texts.
        guard groups.map(\.utf8.count) == Self.groups,
            digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 }),
            let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        return (high, low)
    }

    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
