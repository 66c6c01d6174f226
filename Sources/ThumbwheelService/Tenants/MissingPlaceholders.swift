import Thumbwheel
import ThumbwheelLocks

/// The assets of which the service has not tried yet to make a placeholder. If one is there all the same, somebody's request has
/// left it, and a limited tenant to whom it is shown would know of that request.
final class MissingPlaceholders: Sendable {
    private let state = Mutex<(assets: Set<AssetIdentifier>?, number: Int)>((nil, 0))

    /// - Parameter assets: The assets; nil for all.
    func set(_ assets: Set<AssetIdentifier>?) {
        let old = state.withLock { state in
            defer { state = (assets, state.assets == assets ? state.number : state.number + 1) }
            return state.assets
        }
        _ = old
    }

    /// The assets; nil for all.
    var assets: Set<AssetIdentifier>? { state.withLock { $0.assets } }

    /// Rises as the assets become others.
    var number: Int { state.withLock { $0.number } }
}
