import Thumbwheel
import ThumbwheelLocks

/// The contents that a grid showed before, kept until another thread releases them. The release takes time in proportion to the
/// length of the fetch result, and the scrolling thread often holds the last reference.
final class FormerContents: Sendable {
    private let assets: Mutex<FetchResult<Asset>?>

    init(_ assets: FetchResult<Asset>) {
        self.assets = Mutex(assets)
    }

    /// Takes the contents out; must be called only once.
    func take() -> FetchResult<Asset> {
        assets.withLock { assets in
            defer { assets = nil }
            return assets!
        }
    }
}
