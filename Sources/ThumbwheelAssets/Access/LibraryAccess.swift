/// The assets that one user of a library may see and change.
public enum LibraryAccess: Sendable {
    /// The user sees all assets and may change them.
    case full
    /// The user sees nothing, but may create assets.
    case addOnly
    /// The user sees and may change only the assets in this set. The user may also create assets; a created asset is
    /// seen once the host program has added it to the set. Albums and folders are seen, but without a count of their
    /// assets. They may be changed unless the policy's `allows` method refuses.
    case limited(to: Set<AssetIdentifier>)
}
