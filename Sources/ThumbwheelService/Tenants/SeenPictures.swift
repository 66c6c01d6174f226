import Thumbwheel
import ThumbwheelLocks

/// The pictures that a tenant has been sent, in numbers, and the assets that these are of.
///
/// Tenants share what is rendered. Had one asked for a picture before, the other would get it so much sooner that it would know.
/// So a tenant's first request for a picture takes as long as its render did, whoever rendered it, and a limited tenant gets no
/// placeholder that only others' requests have left.
final class SeenPictures: Sendable {
    private static let capacity = 1 << 17

    private struct State {
        var pictures: Set<Int> = []
        var assets: Set<AssetIdentifier> = []
    }

    private let state = Mutex(State())

    /// Notes that the tenant has a picture.
    func insert(_ picture: Int, of asset: AssetIdentifier) {
        state.withLock { state in
            if state.pictures.count >= Self.capacity { state.pictures = [] }
            if state.assets.count >= Self.capacity { state.assets = [] }
            state.assets.insert(asset)
            state.pictures.insert(picture)
        }
    }

    /// Notes that the tenant knows that a picture cannot be made.
    func insertFailure(_ picture: Int) {
        state.withLock { state in
            if state.pictures.count >= Self.capacity { state.pictures = [] }
            state.pictures.insert(picture)
        }
    }

    func contains(_ picture: Int) -> Bool { state.withLock { $0.pictures.contains(picture) } }

    /// The assets of which the tenant has pictures.
    var assets: Set<AssetIdentifier> { state.withLock { $0.assets } }
}
