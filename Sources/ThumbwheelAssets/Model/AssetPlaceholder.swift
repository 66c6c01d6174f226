/// A placeholder for an asset that a transaction creates. It can be used in the same transaction and after it.
public struct AssetPlaceholder: AssetReference, Hashable {
    /// The identifier that the asset will have.
    public let identifier: AssetIdentifier

    /// Makes a placeholder for the asset that will have this identifier.
    package init(identifier: AssetIdentifier) {
        self.identifier = identifier
    }

    /// The identifier as text.
    public var localIdentifier: String { identifier.localIdentifier }

    /// Whether `asset` is the asset that this placeholder represents.
    public static func == (placeholder: AssetPlaceholder, asset: Asset) -> Bool {
        placeholder.identifier == asset.identifier
    }

    /// Whether `asset` is the asset that this placeholder represents.
    public static func == (asset: Asset, placeholder: AssetPlaceholder) -> Bool {
        placeholder.identifier == asset.identifier
    }
}
