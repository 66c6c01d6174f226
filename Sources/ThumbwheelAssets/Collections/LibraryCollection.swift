import Foundation

/// The common properties of albums, smart albums, moments and folders. Collections are immutable values, and are equal
/// if their identifiers are equal. They do not contain their members; these are fetched separately.
public protocol LibraryCollection: CollectionReference, Hashable {
    /// The title; nil for a collection without one.
    var localizedTitle: String? { get }
    /// When the collection was last changed; nil for a collection that is computed or exists only in memory.
    var modificationDate: Date? { get }
    /// When the earliest asset in a moment or a list of moments was taken; nil for other collections.
    var startDate: Date? { get }
    /// When the latest asset in a moment or a list of moments was taken; nil for other collections.
    var endDate: Date? { get }
    /// The names of the places of moments, from the library's configuration; empty for other collections.
    var localizedLocationNames: [String] { get }
    /// Whether assets can be members of the collection.
    var canContainAssets: Bool { get }
    /// Whether other collections can be members of the collection.
    var canContainCollections: Bool { get }
    /// The collection as a `CollectionItem`, the form in which lists contain it.
    var item: CollectionItem { get }
    /// Whether the collection allows an operation.
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
