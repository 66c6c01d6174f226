import Foundation

/// The common properties of albums, smart albums, moments and folders: immutable values, equal to others by their
/// identifier. They hold no members; members are fetched.
public protocol LibraryCollection: CollectionReference, Hashable {
    /// The title; nil for a collection without one.
    var localizedTitle: String? { get }
    /// When the collection was changed last; nil for what is computed or in memory.
    var modificationDate: Date? { get }
    /// When the earliest of a moment's, or of a list of moments', assets was taken; nil for other collections.
    var startDate: Date? { get }
    /// When the latest of the assets was taken; nil like `startDate`.
    var endDate: Date? { get }
    /// What the places of moments are called, as the library's configuration tells; empty for other collections.
    var localizedLocationNames: [String] { get }
    /// Whether assets can be members.
    var canContainAssets: Bool { get }
    /// Whether collections can be members.
    var canContainCollections: Bool { get }
    /// The collection as a member of lists.
    var item: CollectionItem { get }
    /// Whether the collection can be changed so.
    func canPerform(_ operation: CollectionEditOperation) -> Bool
}

extension LibraryCollection {
    /// The identifier as text; see <doc:Semantics#Identifiers>.
    public var localIdentifier: String { identifier.localIdentifier }

    public static func == (one: Self, other: Self) -> Bool { one.identifier == other.identifier }

    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension CollectionIdentifier: CollectionReference {
    /// The identifier itself.
    public var identifier: CollectionIdentifier { self }
}
