import Foundation

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
