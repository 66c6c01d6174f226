import Foundation

/// A member of a `CollectionList`: an asset collection (such as an album), or another list (such as a folder).
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

    /// The identifier of the album or folder.
    public var identifier: CollectionIdentifier { collection.identifier }
    /// The title; nil if the collection has none.
    public var localizedTitle: String? { collection.localizedTitle }
    public var modificationDate: Date? { collection.modificationDate }
    public var startDate: Date? { collection.startDate }
    /// The date of the latest asset in the moment, album or list of moments; nil if it is unknown, and for other
    /// collections.
    public var endDate: Date? { collection.endDate }
    public var localizedLocationNames: [String] { collection.localizedLocationNames }
    /// Whether assets can be members of the collection.
    public var canContainAssets: Bool { collection.canContainAssets }
    /// Whether other collections can be members of the collection.
    public var canContainCollections: Bool { collection.canContainCollections }
    public var item: CollectionItem { self }
    /// Whether the collection allows an operation.
    public func canPerform(_ operation: CollectionEditOperation) -> Bool { collection.canPerform(operation) }

    /// The collection if it is an album, a smart album or a moment; otherwise nil.
    public var album: AssetCollection? {
        if case .album(let album) = self { album } else { nil }
    }

    /// The collection if it is a folder or a list of moments; otherwise nil.
    public var folder: CollectionList? {
        if case .folder(let folder) = self { folder } else { nil }
    }
}
