import ThumbwheelAssets
import ThumbwheelLocks

extension ImageManager {
    /// Discards at once everything that the manager has cached of the assets: bitmaps and encoded thumbnails in every
    /// size. The images of these assets are also removed from the lists of images that caching managers prepare,
    /// whether they are ready or not. Requests that wait for one of these images still get it.
    ///
    /// This is for programs whose assets do not come from a `PhotoLibrary`, and for programs that want memory back
    /// sooner than the cache would free it. Even without this call, a rendition of an old content version is never
    /// delivered for a newer one.
    public func forgetImages(of assets: some Sequence<AssetIdentifier> & Sendable) {
        // Iterating over the sequence runs code of the caller, so it is done before the pipeline's lock is taken. The
        // lock is then released and taken again after every few assets.
        let assets = Array(assets)
        for start in stride(from: 0, to: assets.count, by: Self.pieceLength) {
            let piece = assets[start..<min(start + Self.pieceLength, assets.count)]
            pipeline.apply { $0.forget(piece, at: $1) }
        }
    }

    private static let pieceLength = 64

    /// Watches a library for as long as the manager lives. When an asset is deleted for good or its pixels change, the
    /// manager discards all cached images of its former pixels. It also removes these images from the lists of images
    /// that caching managers prepare.
    public func follow(_ library: PhotoLibrary) {
        let observation = forgetImages(asAssetsChangeIn: library)
        observations.withLock { $0.append(observation) }
    }

    /// Discards the cached images of the library's assets as soon as the assets are deleted for good or their pixels
    /// change.
    ///
    /// - Returns: the observation. It ends when its last reference is dropped, and it does not keep the manager alive.
    public func forgetImages(asAssetsChangeIn library: PhotoLibrary) -> ChangeObservation {
        library.observeChanges { [weak self] change in
            let assets = change.assetsWithLostContents
            if !assets.isEmpty { self?.forgetImages(of: assets) }
        }
    }
}
