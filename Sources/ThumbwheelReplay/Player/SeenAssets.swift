import ThumbwheelLocks

/// Keeps track of the assets of a simulated run that have thumb hashes.
final class SeenAssets: Sendable {
    private let placeholders: Placeholders
    private let seen = Mutex<Set<AssetState>>([])

    init(_ placeholders: Placeholders) {
        self.placeholders = placeholders
    }

    /// Notes that a render of an asset has finished, so that the asset has a hash.
    func note(_ asset: AssetState) {
        if placeholders == .seen { seen.withLock { _ = $0.insert(asset) } }
    }

    /// Forgets the hashes that renders and look-ups have left in memory.
    func forget() { seen.withLock { $0 = [] } }

    func hasHash(_ asset: AssetState) -> Bool {
        switch placeholders {
        case .seen: seen.withLock { $0.contains(asset) }
        case .imported: true
        case .none: false
        }
    }
}
