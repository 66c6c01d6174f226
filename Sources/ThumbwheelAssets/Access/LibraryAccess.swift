/// The assets that a view of a library sees and may change.
public enum LibraryAccess: Sendable {
    /// All assets are seen and may be changed.
    case full
    /// Nothing is seen; assets may be created.
    case addOnly
    /// Only these assets are seen and may be changed; others may be created, and are seen once they are in the set.
    /// Albums and folders are seen, without a count of their assets, and may be changed unless the policy's `allows`
    /// refuses.
    case limited(to: Set<AssetIdentifier>)
}
