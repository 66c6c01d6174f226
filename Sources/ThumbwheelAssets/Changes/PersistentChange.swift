/// The changes of one transaction, as identifiers; see <doc:Semantics#Change-tokens>.
public struct PersistentChange: Sendable {
    /// The assets, albums or folders that a transaction changed.
    public struct Details<Identifier: Hashable & Sendable>: Sendable {
        /// The created objects.
        public let inserted: Set<Identifier>
        /// The objects whose properties, pixels or members have changed.
        public let updated: Set<Identifier>
        /// The objects that were deleted for good.
        public let deleted: Set<Identifier>
    }

    /// The token for the moment after the change. Use it to request later changes.
    public let token: ChangeToken
    let entry: ChangeHistory.Entry

    /// The assets that the transaction changed.
    ///
    /// - Throws: `PersistentChangeError.detailsUnavailable` if the transaction changed so many objects that the history
    ///   did not record them.
    public func assetDetails() throws(PersistentChangeError) -> Details<AssetIdentifier> {
        guard let details = entry.details else { throw .detailsUnavailable }
        return Details(
            inserted: Set(details.insertedAssets), updated: Set(details.updatedAssets),
            deleted: Set(details.deletedAssets))
    }

    /// The albums that the transaction changed.
    ///
    /// - Throws: `PersistentChangeError.detailsUnavailable` if the transaction changed so many objects that the history
    ///   did not record them.
    public func albumDetails() throws(PersistentChangeError) -> Details<CollectionIdentifier> {
        try collectionDetails { $0.kind == .album }
    }

    /// The folders that the transaction changed.
    ///
    /// - Throws: `PersistentChangeError.detailsUnavailable` if the transaction changed so many objects that the history
    ///   did not record them.
    public func folderDetails() throws(PersistentChangeError) -> Details<CollectionIdentifier> {
        try collectionDetails { $0.kind == .folder }
    }

    /// The albums and folders that the transaction changed.
    ///
    /// - Throws: `PersistentChangeError.detailsUnavailable` if the transaction changed so many objects that the history
    ///   did not record them.
    public func collectionDetails() throws(PersistentChangeError) -> Details<CollectionIdentifier> {
        try collectionDetails { _ in true }
    }

    private func collectionDetails(
        where isIncluded: (CollectionIdentifier) -> Bool
    ) throws(PersistentChangeError) -> Details<CollectionIdentifier> {
        guard let details = entry.details else { throw .detailsUnavailable }
        return Details(
            inserted: Set(details.insertedCollections.filter(isIncluded)),
            updated: Set(details.updatedCollections.filter(isIncluded)),
            deleted: Set(details.deletedCollections.filter(isIncluded)))
    }
}
