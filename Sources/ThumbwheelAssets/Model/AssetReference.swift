/// An asset, or a placeholder of one that is being created, where only its identifier counts.
public protocol AssetReference: Sendable {
    /// The identifier of the asset.
    var identifier: AssetIdentifier { get }
}
