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

/// A collection, or what stands for one that is being created, where only its identifier counts.
public protocol CollectionReference: Sendable {
    /// The identifier of the collection.
    var identifier: CollectionIdentifier { get }
}

extension CollectionIdentifier: CollectionReference {
    /// The identifier itself.
    public var identifier: CollectionIdentifier { self }
}

/// Stands for a collection that a transaction creates: usable in the same transaction and after it.
public struct CollectionPlaceholder: CollectionReference, Hashable {
    /// The identifier that the collection will have.
    public let identifier: CollectionIdentifier

    /// The identifier as text.
    public var localIdentifier: String { identifier.localIdentifier }

    /// Whether `collection` is the one that the placeholder stands for.
    public static func == (placeholder: CollectionPlaceholder, collection: some LibraryCollection) -> Bool {
        placeholder.identifier == collection.identifier
    }
}

/// A member of a folder: an album or another folder.
public enum CollectionItem: LibraryCollection {
    /// An album, a smart album or a moment.
    case album(AssetCollection)
    /// A folder or a list of moments.
    case folder(CollectionList)

    private var collection: any LibraryCollection {
        switch self {
        case .album(let album): album
        case .folder(let folder): folder
        }
    }

    /// The identifier of the collection.
    public var identifier: CollectionIdentifier { collection.identifier }
    /// The title; nil for a collection without one.
    public var localizedTitle: String? { collection.localizedTitle }
    public var modificationDate: Date? { collection.modificationDate }
    public var startDate: Date? { collection.startDate }
    /// When the latest of the assets was taken; nil like `startDate`.
    public var endDate: Date? { collection.endDate }
    public var localizedLocationNames: [String] { collection.localizedLocationNames }
    /// Whether assets can be members.
    public var canContainAssets: Bool { collection.canContainAssets }
    /// Whether collections can be members.
    public var canContainCollections: Bool { collection.canContainCollections }
    public var item: CollectionItem { self }
    /// Whether the collection can be changed so.
    public func canPerform(_ operation: CollectionEditOperation) -> Bool { collection.canPerform(operation) }

    /// The collection if it is an album, a smart album or a moment.
    public var album: AssetCollection? {
        if case .album(let album) = self { album } else { nil }
    }

    /// The collection if it is a folder or a list.
    public var folder: CollectionList? {
        if case .folder(let folder) = self { folder } else { nil }
    }
}
