import Thumbwheel
import ThumbwheelLocks

/// The assets whose files were seen to lie in the folders that may be delivered, so that a picture from the cache needs no look
/// at a disk, which may hang. An asset that has changed is looked at again.
final class KnownInsiders: Sendable {
    private static let capacity = 1 << 17

    private let states = Mutex<[AssetIdentifier: Int]>([:])

    func contains(_ asset: Asset) -> Bool {
        let state = Self.state(of: asset)
        return states.withLock { $0[asset.identifier] == state }
    }

    func insert(_ asset: Asset) {
        let state = Self.state(of: asset)
        states.withLock { states in
            if states.count >= Self.capacity { states = [:] }
            states[asset.identifier] = state
        }
    }

    /// The content and the places of an asset's files, in one number.
    private static func state(of asset: Asset) -> Int {
        var hasher = Hasher()
        hasher.combine(asset.contentVersion)
        for resource in asset.resources { hasher.combine(resource.filePath) }
        return hasher.finalize()
    }
}
