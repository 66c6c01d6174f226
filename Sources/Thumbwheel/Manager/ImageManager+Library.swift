import ThumbwheelAssets

extension ImageManager {
    /// Gives up at once whatever is kept of assets: bitmaps and encoded thumbnails in every size, also those that caching
    /// managers have had prepared, and what is still to be prepared. Requests that wait for one of them still get it.
    ///
    /// For hosts whose assets do not come from a `PhotoLibrary`, and for those that want memory back sooner than the cache
    /// would give it. Renditions of a content version that is no more are never delivered for another, forgotten or not.
    public func forgetImages(of assets: some Sequence<AssetIdentifier> & Sendable) {
        // The sequence is the host's: iterate over it before taking the pipeline's lock. The lock is released between
        // pieces.
        let assets = Array(assets)
        for start in stride(from: 0, to: assets.count, by: Self.pieceCount) {
            let piece = assets[start..<min(start + Self.pieceCount, assets.count)]
            pipeline.apply { $0.forget(piece, at: $1) }
        }
    }

    private static let pieceCount = 64

    /// Forgets the images of the library's assets as soon as those are deleted for good or their pixels change.
    ///
    /// - Returns: the observation, which ends when it is let go of; it does not keep the manager alive.
    public func forgetImages(asAssetsChangeIn library: PhotoLibrary) -> ChangeObservation {
        library.observeChanges { [weak self] change in
            let assets = change.assetsWithLostContents
            if !assets.isEmpty { self?.forgetImages(of: assets) }
        }
    }
}
