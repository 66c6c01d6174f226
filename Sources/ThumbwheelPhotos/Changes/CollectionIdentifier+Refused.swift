import Thumbwheel

extension CollectionIdentifier {
    /// The identifier of no collection, for requests of a block that will not take place.
    static let refused = AssetCollection.transientAssetCollection(with: [], title: nil).identifier
}
