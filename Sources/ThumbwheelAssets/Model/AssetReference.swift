/// A reference to an asset by its identifier: an asset, an identifier, or the placeholder of an asset that is being
/// created.
public protocol AssetReference: Sendable {
    /// The identifier of the asset.
    var identifier: AssetIdentifier { get }
}
