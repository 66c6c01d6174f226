import Thumbwheel
import ThumbwheelLocks

/// Makes the ThumbHashes that a library lacks, one photograph at a time and behind all other work, so that each cell of a grid
/// has a placeholder.
final class PlaceholderMaker: Sendable {
    private let library: PhotoLibrary
    private let manager: ImageManager
    private let isRunning = Mutex(false)

    init(_ library: PhotoLibrary, _ manager: ImageManager) {
        (self.library, self.manager) = (library, manager)
    }

    /// Begins, unless it has begun; what is added meanwhile is found by the next call.
    func make() {
        let begins = isRunning.withLock { isRunning in
            defer { isRunning = true }
            return !isRunning
        }
        guard begins else { return }
        Task.detached { [self] in
            let options = ImageRequestOptions {
                $0.deliveryMode = .fast
                $0.priority = .background
            }
            let newest = FetchOptions(sortDescriptors: [AssetSortDescriptor(.creationDate, ascending: false)])
            for asset in library.fetchAssets(with: newest) where asset.thumbHash == nil {
                // The first decode leaves the hash. What cannot be decoded has none.
                _ = try? await manager.image(
                    for: asset, targetSize: PixelSize(width: 96, height: 96), options: options)
            }
            isRunning.withLock { $0 = false }
        }
    }
}
