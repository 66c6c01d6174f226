import Thumbwheel

/// The assets that a limited tenant sees, in a few bytes: two sets have the same if they are equal, and otherwise as good as never.
struct AccessDigest: Equatable, Sendable {
    /// Nobody outside the process knows them, so nobody can choose assets whose digests are equal.
    private static let keys = (0..<4).map { _ in UInt64.random(in: .min ... .max) }

    private let count: Int
    private let sums: [UInt64]

    init(_ identifiers: Set<AssetIdentifier>) {
        let keys = Self.keys
        func mixed(_ one: UInt64, _ other: UInt64) -> UInt64 {
            let product = one.multipliedFullWidth(by: other)
            return product.high ^ product.low
        }
        var (first, second) = (UInt64(0), UInt64(0))
        for identifier in identifiers {
            first &+= mixed(identifier.high ^ keys[0], identifier.low ^ keys[1])
            second &+= mixed(identifier.high ^ keys[2], identifier.low ^ keys[3])
        }
        (count, sums) = (identifiers.count, [first, second])
    }
}
