import Thumbwheel
import ThumbwheelLocks

/// What a grid has shown, to be let go of where there is time for it: that takes as long as the result is, and the thread that
/// scrolls is often the last that has it.
final class FormerContents: Sendable {
    private let assets: Mutex<FetchResult<Asset>?>

    init(_ assets: FetchResult<Asset>) {
        self.assets = Mutex(assets)
    }

    /// To be called once.
    func take() -> FetchResult<Asset> {
        assets.withLock { assets in
            defer { assets = nil }
            return assets!
        }
    }
}
