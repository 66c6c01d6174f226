/// The changes that a transaction is about to make.
public struct ProposedChange: Sendable {
    /// Assets that the transaction creates.
    public var createdAssets: [AssetIdentifier]
    /// Assets whose properties or pixels change, or that move to Recently Deleted or out of it.
    public var updatedAssets: [AssetIdentifier]
    /// Assets that the transaction moves to Recently Deleted; they are also in `updatedAssets`.
    public var trashedAssets: [AssetIdentifier]
    /// Assets that the transaction deletes for good.
    public var deletedAssets: [AssetIdentifier]
    /// Albums and folders that the transaction creates.
    public var createdCollections: [CollectionIdentifier]
    /// Albums and folders whose title or members change, or that move to another folder. A new collection is in this
    /// list too if the transaction changes it after creating it.
    public var updatedCollections: [CollectionIdentifier]
    /// Albums and folders that the transaction deletes.
    public var deletedCollections: [CollectionIdentifier]
}
