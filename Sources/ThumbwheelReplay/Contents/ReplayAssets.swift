import Thumbwheel
import ThumbwheelLocks

/// The assets of one run: made for it alone, so that a run finds no hash but those it made, or those it is to begin with.
final class ReplayAssets: Sendable {
    private let assets: [Asset]
    private let placeholders: Placeholders
    // Kept, because what is made of an asset is kept with it.
    private let changed = Mutex<[AssetState: Asset]>([:])

    init(_ assets: [Asset], placeholders: Placeholders) {
        self.placeholders = placeholders
        self.assets = assets.map { asset in
            let own = asset.copy(identifier: asset.identifier)
            if placeholders == .imported, let hash = asset.thumbHash { own.keepThumbHash(hash) }
            return own
        }
    }

    /// The assets of a list, as they are by then.
    func shown(_ list: AssetList) -> FetchResult<Asset> { FetchResult((0..<list.count).map { self[list[$0]] }) }

    /// An asset as it is after so many changes of its content.
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
