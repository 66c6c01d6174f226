/// The identity of an asset, in 128 bits. An import computes it from the names of the file and its folders, so that
/// each run gives the same identifier.
public struct AssetIdentifier: Hashable, Sendable, BitwiseCopyable {
    /// The first 64 bits of the identifier.
    public let high: UInt64
    /// The last 64 bits of the identifier.
    public let low: UInt64

    /// Makes an identifier from two words. Host programs use it if they have identifiers of their own.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(_ digest: NameDigest) { self.init(digest.value) }

    init(_ digest: FNV1aDigest) { self.init(digest.value) }

    private init(_ value: UInt128) {
        high = UInt64(truncatingIfNeeded: value >> 64)
        low = UInt64(truncatingIfNeeded: value)
    }

    /// Adds both words to Swift's hash, which uses a different seed in each process. If the hash depended on the two
    /// words alone, users of a host program could choose identifiers with equal hashes, and so make lookups slow.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }

    /// Returns a new random identifier.
    package static func random() -> AssetIdentifier {
        AssetIdentifier(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    }
}

extension AssetIdentifier {
    // PhotoKit's asset identifiers have been observed to end with this suffix.
    private static let form = IdentifierText(suffix: "/L0/001")

    /// The identifier as text. In this form, identifiers are given to clients, stored and sent. See
    /// <doc:Semantics#Identifiers>.
    public var localIdentifier: String { Self.form.text(high: high, low: low) }

    /// Makes an identifier from the text of a `localIdentifier`; nil for any other text.
    public init?(localIdentifier: String) {
        guard let words = Self.form.words(of: localIdentifier) else { return nil }
        self.init(high: words.high, low: words.low)
    }
}

extension AssetIdentifier: CustomStringConvertible {
    public var description: String { localIdentifier }
}

extension Asset: AssetReference {}

extension AssetIdentifier: AssetReference {
    /// The identifier itself.
    public var identifier: AssetIdentifier { self }
}
