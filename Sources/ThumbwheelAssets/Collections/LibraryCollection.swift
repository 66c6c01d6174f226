import Foundation

/// The common properties of albums, smart albums, moments and folders. Collections are immutable values; they are equal
/// if their identifiers are equal. They do not contain their members, which have to be fetched.
public protocol LibraryCollection: CollectionReference, Hashable {
    /// The title; nil if the collection has none.
    var localizedTitle: String? { get }
    /// The date of the last change; nil for a collection that is computed or exists only in memory.
    var modificationDate: Date? { get }
    /// The date of the earliest asset in the moment, album or list of moments; nil if it is unknown, and for other
    /// collections.
    var startDate: Date? { get }
    /// The date of the latest asset in the moment, album or list of moments; nil if it is unknown, and for other
    /// collections.
    var endDate: Date? { get }
    /// The names of the places where the assets were taken; empty if no place is known. The function
    /// `PhotoLibrary.Configuration.placeNames` supplies the names.
    var localizedLocationNames: [String] { get }
    /// Whether assets can be members of the collection.
    var canContainAssets: Bool { get }
    /// Whether other collections can be members of the collection.
    var canContainCollections: Bool { get }
    /// The collection as a `CollectionItem`, the type of the members of a list.
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
