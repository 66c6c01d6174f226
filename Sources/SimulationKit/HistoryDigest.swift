/// A digest of the actions of many histories.
///
/// Two versions of the pipeline that act alike in every history of a range have equal digests of it. The digest does not
/// depend on the order in which the histories are added, so several threads can share a range, and the digests of
/// neighbouring ranges add up to the digest of both.
package struct HistoryDigest: Hashable, Sendable {
    package private(set) var value: UInt64 = 0

    package init() {}

    /// Adds a history.
    ///
    /// - Parameter digest: the digest of its actions. It is mixed with the seed, so that two histories that exchange their
    ///   actions change the sum.
    package mutating func add(_ digest: UInt64, of seed: UInt64) {
        var mixed = digest ^ (seed &* 0x9E37_79B9_7F4A_7C15)
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        value &+= mixed ^ (mixed >> 31)
    }

    /// Adds the histories of another range.
    package mutating func add(_ other: HistoryDigest) {
        value &+= other.value
    }
}

extension HistoryDigest: CustomStringConvertible {
    /// Sixteen hexadecimal digits.
    package var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
