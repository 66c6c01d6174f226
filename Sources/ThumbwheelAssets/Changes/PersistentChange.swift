/// The changes of one transaction, by identifiers; see <doc:Semantics#Change-tokens>.
public struct PersistentChange: Sendable {
    /// The objects of one class that a transaction changed.
    public struct Details<Identifier: Hashable & Sendable>: Sendable {
        /// Created objects.
        public let inserted: Set<Identifier>
        /// Objects whose properties, pixels or members changed.
        public let updated: Set<Identifier>
        /// Objects deleted for good.
        public let deleted: Set<Identifier>
    }

    /// The point after the change: processing can resume from here.
    public let token: ChangeToken
    let entry: ChangeHistory.Entry

    /// The assets that the transaction changed.
    ///
    /// - Throws: `PersistentChangeError.detailsUnavailable` if the transaction changed too many objects for the history
    ///   to record them one by one.
    public func assetDetails() throws(PersistentChangeError) -> Details<AssetIdentifier> {
        guard let details = entry.details else { throw .detailsUnavailable }
        return Details(
            inserted: Set(details.insertedAssets), updated: Set(details.updatedAssets),
            deleted: Set(details.deletedAssets))
    }

    /// The albums that the transaction changed.
    ///
    /// - Throws: `PersistentChangeError.detailsUnavailable` if the transaction changed too many objects for the history
    ///   to record them one by one.
    public func albumDetails() throws(PersistentChangeError) -> Details<CollectionIdentifier> {
        try collectionDetails { $0.kind == .album }
    }

    /// The folders that the transaction changed.
    ///
    /// - Throws: `PersistentChangeError.detailsUnavailable` if the transaction changed too many objects for the history
    ///   to record them one by one.
    public func folderDetails() throws(PersistentChangeError) -> Details<CollectionIdentifier> {
        try collectionDetails { $0.kind == .folder }
    }

    /// The albums and folders that the transaction changed.
    ///
    /// - Throws: `PersistentChangeError.detailsUnavailable` if the transaction changed too many objects for the history
    ///   to record them one by one.
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
