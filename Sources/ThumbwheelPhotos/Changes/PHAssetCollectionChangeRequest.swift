import Foundation
import Thumbwheel

/// Changes or creates an album inside a block of changes. Each call takes effect at once, and the calls after it see it.
public final class PHAssetCollectionChangeRequest: NSObject {
    private let block = PHChangeBlock.current
    private let album: CollectionIdentifier
    // The members that the caller saw, to which indexes refer.
    private let seen: FetchResult<Asset>?
    /// What stands for the album that the request creates; it can be used in other requests of the block.
    ///
    /// - Precondition: the request creates an album.
    public var placeholderForCreatedAssetCollection: PHObjectPlaceholder {
        guard let placeholder else { preconditionFailure("A request that creates no album has no placeholder") }
        return placeholder
    }
    private let placeholder: PHObjectPlaceholder?

    /// The title.
    public var title: String {
        didSet {
            block.perform { [title, album] transaction throws(ChangeError) in
                try transaction.setTitle(title, of: album)
            }
        }
    }

    /// Changes an album; nil for a collection that cannot be changed. Indexes refer to its members as they are.
    public init?(for collection: PHAssetCollection) {
        guard collection.canPerform(.addContent) || collection.canPerform(.rename) else { return nil }
        (album, seen, placeholder) = (collection.collection.identifier, nil, nil)
        title = collection.localizedTitle ?? ""
    }

    /// Changes an album; nil for a collection that cannot be changed. Indexes refer to its members as a fetch found them.
    public init?(for collection: PHAssetCollection, assets: PHFetchResult<PHAsset>) {
        guard collection.canPerform(.addContent), case .assets(let result) = assets.contents else { return nil }
        (album, seen, placeholder) = (collection.collection.identifier, result, nil)
        title = collection.localizedTitle ?? ""
    }

    private init(titled title: String) {
        var created: CollectionPlaceholder?
        block.perform { transaction throws(ChangeError) in created = try transaction.createAlbum(title: title) }
        // After a refusal nothing of the block takes place, so any identifier will do.
        let identifier = created?.identifier ?? .refused
        (album, seen, placeholder) = (identifier, nil, PHObjectPlaceholder(.collection(identifier)))
        self.title = title
    }

    /// Creates an album in no folder.
    public static func creationRequestForAssetCollection(withTitle title: String) -> PHAssetCollectionChangeRequest {
        PHAssetCollectionChangeRequest(titled: title)
    }

    /// Deletes albums. Their assets stay in the library.
    public static func deleteAssetCollections(_ collections: some PHObjectList) {
        let collections = collections.collections
        PHChangeBlock.current.perform { transaction throws(ChangeError) in
            try transaction.deleteCollections(collections)
        }
    }

    /// Adds assets at the end; those that the album has already stay where they are.
    public func addAssets(_ assets: some PHObjectList) {
        let assets = assets.assets
        block.perform { [album] transaction throws(ChangeError) in try transaction.addAssets(assets, to: album) }
    }

    /// Inserts assets, the first at the first index.
    public func insertAssets(_ assets: some PHObjectList, at indexes: IndexSet) {
        let assets = assets.assets
        block.perform { [album, seen] transaction throws(ChangeError) in
            try transaction.insertAssets(assets, into: album, at: indexes, pinnedTo: seen)
        }
    }

    /// Removes assets from the album, not from the library.
    public func removeAssets(_ assets: some PHObjectList) {
        let assets = assets.assets
        block.perform { [album] transaction throws(ChangeError) in try transaction.removeAssets(assets, from: album) }
    }

    /// Removes the assets at some indexes from the album, not from the library.
    public func removeAssets(at indexes: IndexSet) {
        block.perform { [album, seen] transaction throws(ChangeError) in
            try transaction.removeAssets(at: indexes, from: album, pinnedTo: seen)
        }
    }

    /// Puts assets in the places of those at some indexes.
    public func replaceAssets(at indexes: IndexSet, withAssets assets: some PHObjectList) {
        let assets = assets.assets
        block.perform { [album, seen] transaction throws(ChangeError) in
            try transaction.replaceAssets(at: indexes, in: album, with: assets, pinnedTo: seen)
        }
    }

    /// Moves the assets at some indexes to where the first of them then is.
    public func moveAssets(at indexes: IndexSet, to index: Int) {
        block.perform { [album, seen] transaction throws(ChangeError) in
            try transaction.moveAssets(at: indexes, to: index, in: album, pinnedTo: seen)
        }
    }
}
