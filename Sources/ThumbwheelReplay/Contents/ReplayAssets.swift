import Thumbwheel
import ThumbwheelLocks

/// The assets of one run. They are copies made for this run alone, so that it finds only the thumb hashes that it made itself
/// or is meant to begin with.
final class ReplayAssets: Sendable {
    private let assets: [Asset]
    private let placeholders: Placeholders
    // The assets whose content has changed. They are kept, because a thumb hash that is made for an asset is stored in it.
    private let changed = Mutex<[AssetState: Asset]>([:])

    init(_ assets: [Asset], placeholders: Placeholders) {
        self.placeholders = placeholders
        self.assets = assets.map { asset in
            let own = asset.copy(identifier: asset.identifier)
            if placeholders == .imported, let hash = asset.thumbHash { own.keepThumbHash(hash) }
            return own
        }
    }

    /// Returns the assets of a list, in the states that they have in it.
    func shown(_ list: AssetList) -> FetchResult<Asset> { FetchResult((0..<list.count).map { self[list[$0]] }) }

    /// Returns the asset after as many changes of its content as the state counts.
    subscript(state: AssetState) -> Asset {
        let asset = assets[state.number]
        guard state.version > 0 else { return asset }
        return changed.withLock { changed in
            if let known = changed[state] { return known }
            let after = Asset(
                identifier: asset.identifier, contentVersion: asset.contentVersion + state.version,
                mediaType: asset.mediaType, head: asset.head, resource: asset.resource, fileSize: asset.fileSize,
                originalFilename: asset.originalFilename, thumbHash: placeholders == .imported ? asset.thumbHash : nil)
            changed[state] = after
            return after
        }
    }
}
