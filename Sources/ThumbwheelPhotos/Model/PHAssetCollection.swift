import Foundation
import Thumbwheel

/// An album, a smart album, a moment or a transient collection of assets.
public final class PHAssetCollection: PHCollection, @unchecked Sendable {
    /// The collection in this library's own spelling.
    public let collection: AssetCollection

    /// Wraps a collection.
    public init(_ collection: AssetCollection) {
        self.collection = collection
        super.init(.album(collection))
    }

    /// The kind of the collection.
    public var assetCollectionType: PHAssetCollectionType { collection.assetCollectionType }
    /// The finer kind of the collection.
    public var assetCollectionSubtype: PHAssetCollectionSubtype { collection.assetCollectionSubtype }
    /// The number of assets; `NSNotFound` if only a fetch can tell.
    public var estimatedAssetCount: Int { collection.estimatedAssetCount ?? NSNotFound }
    /// The place of the collection's assets, where it knows one.
    public var approximateLocation: Location? { collection.approximateLocation }

    /// A collection that exists only in memory.
    public static func transientAssetCollection(with assets: [PHAsset], title: String?) -> PHAssetCollection {
        PHAssetCollection(.transientAssetCollection(with: assets.map(\.asset), title: title))
    }

    /// A collection of the assets of a fetch result that exists only in memory.
    public static func transientAssetCollection(
        withAssetFetchResult result: PHFetchResult<PHAsset>, title: String?
    ) -> PHAssetCollection {
        PHAssetCollection(.transientAssetCollection(with: result.map(\.asset), title: title))
    }
}
