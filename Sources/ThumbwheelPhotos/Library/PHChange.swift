import Foundation
import Thumbwheel

/// A change of a library, which tells what it means for objects and results that were fetched before.
///
/// Unchecked sendability: the change has one constant, a value.
public final class PHChange: NSObject, @unchecked Sendable {
    /// The change in this library's own spelling.
    public let change: LibraryChange

    init(_ change: LibraryChange) {
        self.change = change
    }

    /// The change of an asset; nil if it has not changed.
    public func changeDetails(for asset: PHAsset) -> PHObjectChangeDetails<PHAsset>? {
        change.changeDetails(for: asset.asset).map { PHObjectChangeDetails(asset, $0) { PHAsset($0) } }
    }

    /// The change of an album; nil if it has not changed.
    public func changeDetails(for album: PHAssetCollection) -> PHObjectChangeDetails<PHAssetCollection>? {
        change.changeDetails(for: album.collection).map { PHObjectChangeDetails(album, $0) { PHAssetCollection($0) } }
    }

    /// The change of a folder; nil if it has not changed.
    public func changeDetails(for folder: PHCollectionList) -> PHObjectChangeDetails<PHCollectionList>? {
        change.changeDetails(for: folder.list).map { PHObjectChangeDetails(folder, $0) { PHCollectionList($0) } }
    }

    /// The change of a fetch result; nil if it has not changed.
    public func changeDetails<ObjectType>(
        for result: PHFetchResult<ObjectType>
    ) -> PHFetchResultChangeDetails<ObjectType>? {
        switch result.contents {
        case .assets(let fetched):
            change.changeDetails(for: fetched).map { PHFetchResultChangeDetails(result, $0, PHFetchContents.assets) }
        case .albums(let fetched):
            change.changeDetails(for: fetched).map { PHFetchResultChangeDetails(result, $0, PHFetchContents.albums) }
        case .lists(let fetched):
            change.changeDetails(for: fetched).map { PHFetchResultChangeDetails(result, $0, PHFetchContents.lists) }
        case .collections(let fetched):
            change.changeDetails(for: fetched).map {
                PHFetchResultChangeDetails(result, $0, PHFetchContents.collections)
            }
        }
    }
}
