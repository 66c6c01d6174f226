/// A value that names an asset: the asset itself, its identifier, or the placeholder of an asset that is being created.
public protocol AssetReference: Sendable {
    /// The identifier of the asset.
    var identifier: AssetIdentifier { get }
}
