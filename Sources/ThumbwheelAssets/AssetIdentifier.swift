/// What an asset is told apart by: 128 bits, equal from run to run for the same file of the same folder.
public struct AssetIdentifier: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(_ digest: NameDigest) {
        high = UInt64(truncatingIfNeeded: digest.value >> 64)
        low = UInt64(truncatingIfNeeded: digest.value)
    }
}

extension AssetIdentifier {
    // What PhotoKit's identifiers of assets were seen to end in (row 2).
    private static let suffix = "/L0/001"
    private static let groups = [8, 4, 4, 4, 12]

    /// The form in which identifiers are handed out, stored and sent: to be treated as opaque (row 2).
    public var localIdentifier: String {
        let digits = Array(hexadecimal(high) + hexadecimal(low))
        var start = 0
        let groups = Self.groups.map { count in
            defer { start += count }
            return String(digits[start..<start + count])
        }
        return groups.joined(separator: "-") + Self.suffix
    }

    /// Reads what `localIdentifier` wrote; nil for anything else.
    public init?(localIdentifier: String) {
        guard localIdentifier.hasSuffix(Self.suffix) else { return nil }
        let groups = localIdentifier.dropLast(Self.suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        let digits = groups.joined()
        // Only the one spelling that is written: an identifier is compared as text, too.
        guard groups.map(\.utf8.count) == Self.groups,
            digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 }),
            let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    private func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension AssetIdentifier: CustomStringConvertible {
    public var description: String { localIdentifier }
}
