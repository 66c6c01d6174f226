/// The identity of an asset, in 128 bits. An import derives it from the names of the file and its folders, so it is the
/// same in every run.
public struct AssetIdentifier: Hashable, Sendable, BitwiseCopyable {
    /// The first 64 bits of the identifier.
    public let high: UInt64
    /// The last 64 bits of the identifier.
    public let low: UInt64

    /// Makes an identifier from two words, for hosts that have their own identifiers.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(_ digest: NameDigest) { self.init(digest.value) }

    init(_ digest: FormerDigest) { self.init(digest.value) }

    private init(_ value: UInt128) {
        high = UInt64(truncatingIfNeeded: value >> 64)
        low = UInt64(truncatingIfNeeded: value)
    }

    /// Feeds both words to the hasher, which Swift seeds anew in each process. If the hash were a known function of the
    /// two words, a host's users could choose identifiers that collide.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }

    /// A new random identifier, which no other asset has.
    package static func random() -> AssetIdentifier {
        AssetIdentifier(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    }
}

extension AssetIdentifier {
    // The suffix is the ending observed on PhotoKit's asset identifiers.
    private static let form = IdentifierText(suffix: "/L0/001")

    /// The identifier as opaque text, the form in which identifiers are handed out, stored and sent. See
    /// <doc:Semantics#Identifiers>.
    public var localIdentifier: String { Self.form.text(high: high, low: low) }

    /// Reads the text of a `localIdentifier`; nil for any other text.
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
