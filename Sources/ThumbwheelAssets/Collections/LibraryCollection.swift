import Foundation

/// What albums, smart albums, moments and folders have in common: immutable values, equal to others by their identifier
/// (rows 1 and 19). They hold no members; these are fetched.
public protocol LibraryCollection: CollectionReference, Hashable {
    var localizedTitle: String? { get }
    /// When the collection was changed last; nil for what is computed or in memory.
    var modificationDate: Date? { get }
    /// When the earliest of a moment's, or of a list of moments', assets was taken; nil for other collections (row 22).
    var startDate: Date? { get }
    var endDate: Date? { get }
    /// What the places of moments are called, as the library's configuration tells; empty for other collections.
    var localizedLocationNames: [String] { get }
    var canContainAssets: Bool { get }
    var canContainCollections: Bool { get }
    /// The collection as a member of lists.
    var item: CollectionItem { get }
    func canPerform(_ operation: CollectionEditOperation) -> Bool
}

extension LibraryCollection {
    public var localIdentifier: String { identifier.localIdentifier }

    public static func == (one: Self, other: Self) -> Bool { one.identifier == other.identifier }

    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// A collection, or what stands for one that is being created, where only its identifier counts.
public protocol CollectionReference: Sendable {
    var identifier: CollectionIdentifier { get }
}

extension CollectionIdentifier: CollectionReference {
    public var identifier: CollectionIdentifier { self }
}

/// Stands for a collection that a transaction creates: usable in the same transaction and after it (rows 4 and 80).
public struct CollectionPlaceholder: CollectionReference, Hashable {
    public let identifier: CollectionIdentifier

    public var localIdentifier: String { identifier.localIdentifier }

    public static func == (placeholder: CollectionPlaceholder, collection: some LibraryCollection) -> Bool {
        placeholder.identifier == collection.identifier
    }
}

/// A member of a folder: an album or another folder (row 45).
public enum CollectionItem: LibraryCollection {
    case album(AssetCollection)
    case folder(CollectionList)

    private var collection: any LibraryCollection {
        switch self {
        case .album(let album): album
        case .folder(let folder): folder
        }
    }

    public var identifier: CollectionIdentifier { collection.identifier }
    public var localizedTitle: String? { collection.localizedTitle }
    public var modificationDate: Date? { collection.modificationDate }
    public var startDate: Date? { collection.startDate }
    public var endDate: Date? { collection.endDate }
    public var localizedLocationNames: [String] { collection.localizedLocationNames }
    public var canContainAssets: Bool { collection.canContainAssets }
    public var canContainCollections: Bool { collection.canContainCollections }
    public var item: CollectionItem { self }
    public func canPerform(_ operation: CollectionEditOperation) -> Bool { collection.canPerform(operation) }

    public var album: AssetCollection? {
        if case .album(let album) = self { album } else { nil }
    }

    public var folder: CollectionList? {
        if case .folder(let folder) = self { folder } else { nil }
    }
}
