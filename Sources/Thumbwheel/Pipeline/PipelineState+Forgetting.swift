import ThumbwheelAssets
import ThumbwheelCore

// MARK: Assets that are gone

extension PipelineState {
    /// Gives up at once all that is kept of assets, whoever holds it, and what windows have asked for of them. What requests
    /// wait for still comes, and is not kept.
    package mutating func forget(_ assets: some Sequence<AssetIdentifier>, at now: MonotonicTime) {
        for asset in assets {
            let cachedKeys = cachedRenditions.removeValue(forKey: asset)?.entries.map(\.key) ?? []
            let waiting = jobs.jobs(of: asset)
            let keys = cachedKeys + waiting.map { jobs[$0].key }
            for key in keys { removeFromWindows(key) }
            for key in cachedKeys { letGo((cache.remove(key) ?? packed.remove(key))!) }
            // A window that let go of one may have been all that wanted it.
            for id in jobs.jobs(of: asset) { jobs[id].isForKeeping = false }
        }
        dispatch(at: now)
    }

    /// - Parameter key: of what is held, which may be cheaper than what was asked for.
    private mutating func removeFromWindows(_ key: RenditionKey) {
        for window in holds[key]?.claims.map(\.window) ?? [] {
            for asked in [key, key.with(.high)] where windows[window]!.entries[asked]?.held == key {
                removeEntry(asked, from: window)
            }
        }
    }
}
