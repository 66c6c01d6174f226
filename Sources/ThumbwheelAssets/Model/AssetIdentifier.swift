/// The identity of an asset: 128 bits, equal from run to run for the same file of the same folder.
public struct AssetIdentifier: Hashable, Sendable, BitwiseCopyable {
    /// The first 64 bits.
    public let high: UInt64
    /// The last 64 bits.
    public let low: UInt64

    /// Makes an identifier of two words, for hosts that have identifiers of their own.
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

    /// Feeds both words to the hasher, which is seeded. With any known function of the two words, a host's users could
    /// choose identifiers that collide.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }

    /// A new one, which no other asset has.
    static func random() -> AssetIdentifier {
        AssetIdentifier(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    }
}

extension AssetIdentifier {
    // What PhotoKit's identifiers of assets were seen to end in.
    private static let form = IdentifierText(suffix: "/L0/001")

    /// The form in which identifiers are handed out, stored and sent: opaque text. See <doc:Semantics#Identifiers>.
    public var localIdentifier: String { Self.form.text(high: high, low: low) }

    /// Reads what `localIdentifier` wrote; nil for anything else.
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
