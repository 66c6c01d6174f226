import Foundation
import Thumbwheel

/// A folder, a list of moments or a transient list of collections.
public final class PHCollectionList: PHCollection, @unchecked Sendable {
    /// The list in this library's own spelling.
    public let list: CollectionList

    /// Wraps a list.
    public init(_ list: CollectionList) {
        self.list = list
        super.init(.folder(list))
    }

    /// The kind of the list.
    public var collectionListType: PHCollectionListType { list.collectionListType }
    /// The finer kind of the list.
    public var collectionListSubtype: PHCollectionListSubtype { list.collectionListSubtype }

    /// A list that exists only in memory.
    public static func transientCollectionList(with collections: [PHCollection], title: String?) -> PHCollectionList {
        PHCollectionList(.transientCollectionList(with: collections.map(\.item), title: title))
    }

    /// A list of the collections of a fetch result that exists only in memory.
    public static func transientCollectionList(
        withCollectionsFetchResult result: PHFetchResult<PHCollection>, title: String?
    ) -> PHCollectionList {
        PHCollectionList(.transientCollectionList(with: result.map(\.item), title: title))
    }
}
