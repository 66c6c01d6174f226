/// The identity of an album, a folder or another collection.
public struct CollectionIdentifier: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
        case album, folder
    }

    let kind: Kind
    let high: UInt64
    let low: UInt64

    /// The identifier of the top level, which contains all other folders and albums. It is stored as a folder, but
    /// cannot be fetched.
    static let root = CollectionIdentifier(kind: .folder, high: 0, low: 0)

    // The value of `high` in the identifiers of transient collections, which exist only in memory. The top level is the
    // only stored collection with the same value. Its `low` is 0, and that of a transient collection is not.
    private static let transient: UInt64 = 0
    // The value of `high` in the identifiers of moments and of lists of moments. No stored collection has it.
    private static let moment: UInt64 = 1

    static func random(_ kind: Kind) -> CollectionIdentifier {
        CollectionIdentifier(kind: kind, high: .random(in: 2 ... .max), low: .random(in: .min ... .max))
    }

    /// Returns a new identifier for a transient collection, which exists only in memory.
    static func transient(_ kind: Kind) -> CollectionIdentifier {
        CollectionIdentifier(kind: kind, high: transient, low: .random(in: 1 ... .max))
    }

    /// Returns the identifier of a moment or a list of moments. It is the same in every library for the same days in
    /// the same time zone.
    static func moment(_ kind: Kind, from name: String) -> CollectionIdentifier {
        CollectionIdentifier(kind: kind, high: moment, low: derived(kind, from: "moment " + name).low)
    }

    /// Whether the identifier names a collection that users cannot change, because it is computed or exists only in
    /// memory.
    var isOfUneditable: Bool {
        self != .root && high <= Self.moment || SmartAlbum.with(self) != nil
    }

    /// Returns the identifier of a computed collection with this name. It is the same in every library.
    static func derived(_ kind: Kind, from name: String) -> CollectionIdentifier {
        let digest = AssetIdentifier(FNV1aDigest("thumbwheel collection " + name))
        return CollectionIdentifier(kind: kind, high: digest.high, low: digest.low)
    }
}

extension CollectionIdentifier {
    private static func form(_ kind: Kind) -> IdentifierText {
        IdentifierText(suffix: kind == .album ? "/L0/040" : "/L0/020")
    }

    /// The identifier as text. In this form, identifiers are given to clients, stored and sent. See
    /// <doc:Semantics#Identifiers>.
    public var localIdentifier: String { Self.form(kind).text(high: high, low: low) }

    /// Makes an identifier from the text of a `localIdentifier`; nil for any other text.
    public init?(localIdentifier: String) {
        for kind in [Kind.album, .folder] {
            guard let words = Self.form(kind).words(of: localIdentifier) else { continue }
            self.init(kind: kind, high: words.high, low: words.low)
            return
        }
        return nil
    }
}

extension CollectionIdentifier: CustomStringConvertible {
    public var description: String { localIdentifier }
}
