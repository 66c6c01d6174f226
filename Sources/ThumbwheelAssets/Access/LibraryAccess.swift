/// The assets that a view of a library sees and may change.
public enum LibraryAccess: Sendable {
    /// All assets are seen and may be changed.
    case full
    /// Nothing is seen; assets may be created.
    case addOnly
    /// Only the assets in this set are seen and may be changed. Other assets may be created, and are seen once the host
    /// has added them to the set. Albums and folders are seen, but without a count of their assets. They may be changed
    /// unless the policy's `allows` refuses.
    case limited(to: Set<AssetIdentifier>)
}
