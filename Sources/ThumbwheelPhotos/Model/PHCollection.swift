import Foundation
import Thumbwheel

/// An album or a list of collections. It holds no members; they are fetched.
public class PHCollection: PHObject, @unchecked Sendable {
    let item: CollectionItem

    init(_ item: CollectionItem) {
        self.item = item
        super.init(.collection(item.identifier))
    }

    /// The collection as an object of its own class.
    static func object(of item: CollectionItem) -> PHCollection {
        switch item {
        case .album(let album): PHAssetCollection(album)
        case .folder(let folder): PHCollectionList(folder)
        }
    }

    /// The title; nil for a moment and for a transient collection without one.
    public var localizedTitle: String? { item.localizedTitle }
    /// When the collection or its members changed last; nil for computed collections.
    public var modificationDate: Date? { item.modificationDate }
    /// When the earliest asset was taken, where the collection knows it.
    public var startDate: Date? { item.startDate }
    /// When the latest asset was taken, where the collection knows it.
    public var endDate: Date? { item.endDate }
    /// The names of the collection's place, where the library has been told how to find them.
    public var localizedLocationNames: [String] { item.localizedLocationNames }
    /// Whether assets can be members.
    public var canContainAssets: Bool { item.canContainAssets }
    /// Whether collections can be members.
    public var canContainCollections: Bool { item.canContainCollections }

    /// Whether the collection allows an operation.
    public func canPerform(_ operation: PHCollectionEditOperation) -> Bool { item.canPerform(operation) }
}
