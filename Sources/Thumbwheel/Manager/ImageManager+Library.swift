import ThumbwheelAssets
import ThumbwheelLocks

extension ImageManager {
    /// Discards at once all that the manager keeps of the assets. This covers bitmaps and encoded thumbnails in every
    /// size, also those that caching managers have had prepared, and images that caching managers still want. Requests
    /// that wait for one of these images still get it.
    ///
    /// This is for hosts whose assets do not come from a `PhotoLibrary`, and for hosts that want memory back sooner
    /// than the cache would free it. Even without this call, a rendition of an old content version is never delivered
    /// for a newer one.
    public func forgetImages(of assets: some Sequence<AssetIdentifier> & Sendable) {
        // Iterating over the sequence runs the host's code, so it happens before the pipeline's lock is taken. The lock
        // is then released and taken again after every few assets.
        let assets = Array(assets)
        for start in stride(from: 0, to: assets.count, by: Self.pieceCount) {
            let piece = assets[start..<min(start + Self.pieceCount, assets.count)]
            pipeline.apply { $0.forget(piece, at: $1) }
        }
    }

    private static let pieceCount = 64

    /// Follows a library for as long as the manager lives: when an asset is deleted for good or its pixels change, all that the
    /// manager keeps of the former picture is discarded, in caching windows too.
    public func follow(_ library: PhotoLibrary) {
        let observation = forgetImages(asAssetsChangeIn: library)
        observations.withLock { $0.append(observation) }
    }

    /// Forgets the images of the library's assets as soon as the assets are deleted for good or their pixels change.
    ///
    /// - Returns: the observation. It ends when it is released, and it does not keep the manager alive.
    public func forgetImages(asAssetsChangeIn library: PhotoLibrary) -> ChangeObservation {
        library.observeChanges { [weak self] change in
            let assets = change.assetsWithLostContents
            if !assets.isEmpty { self?.forgetImages(of: assets) }
        }
    }
}
