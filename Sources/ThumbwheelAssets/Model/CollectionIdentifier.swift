/// The identity of an album, a folder or another collection.
public struct CollectionIdentifier: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
        case album, folder
    }

    let kind: Kind
    let high: UInt64
    let low: UInt64

    /// The list of what is at the top of the tree of albums and folders; no folder that could be fetched.
    static let root = CollectionIdentifier(kind: .folder, high: 0, low: 0)

    // Upper halves that no album or folder of a library has.
    private static let transient: UInt64 = 0
    private static let moment: UInt64 = 1

    static func random(_ kind: Kind) -> CollectionIdentifier {
        CollectionIdentifier(kind: kind, high: .random(in: 2 ... .max), low: .random(in: .min ... .max))
    }

    /// Of a collection in memory.
    static func transient(_ kind: Kind) -> CollectionIdentifier {
        CollectionIdentifier(kind: kind, high: transient, low: .random(in: 1 ... .max))
    }

    /// Of a moment or a list of them: the same in every library for the same days of the same time zone.
    static func moment(_ kind: Kind, from name: String) -> CollectionIdentifier {
        CollectionIdentifier(kind: kind, high: moment, low: derived(kind, from: "moment " + name).low)
    }

    /// Whether it is of a collection that no transaction can change, being in memory or computed.
    var isOfUneditable: Bool {
        self != .root && high <= Self.moment || SmartAlbum.with(self) != nil
    }

    /// The one identifier, in every library, of what `name` says.
    static func derived(_ kind: Kind, from name: String) -> CollectionIdentifier {
        let digest = AssetIdentifier(FormerDigest("thumbwheel collection " + name))
        return CollectionIdentifier(kind: kind, high: digest.high, low: digest.low)
    }
}

extension CollectionIdentifier {
    private static func form(_ kind: Kind) -> IdentifierText {
        IdentifierText(suffix: kind == .album ? "/L0/040" : "/L0/020")
    }

    /// The form in which identifiers are handed out, stored and sent: opaque text. See <doc:Semantics#Identifiers>.
    public var localIdentifier: String { Self.form(kind).text(high: high, low: low) }

    /// Reads what `localIdentifier` wrote; nil for anything else.
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
