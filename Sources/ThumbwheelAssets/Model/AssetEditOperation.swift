/// The operations that an asset may allow.
public enum AssetEditOperation: Int, Sendable, CaseIterable {
    /// Deleting it.
    case delete = 1
    /// Changing its pixels.
    case content = 2
    /// Changing its properties.
    case properties = 3
}
