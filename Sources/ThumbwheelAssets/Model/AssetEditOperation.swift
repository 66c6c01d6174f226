/// The operations that an asset may allow.
public enum AssetEditOperation: Int, Sendable, CaseIterable {
    /// Deleting the asset.
    case delete = 1
    /// Changing the asset's pixels.
    case content = 2
    /// Changing the asset's properties.
    case properties = 3
}
