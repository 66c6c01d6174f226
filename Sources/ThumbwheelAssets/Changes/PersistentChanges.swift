/// A point in a library's history, to be kept across restarts: opaque, and of this library alone. See
/// <doc:Semantics#Change-tokens>.
public struct ChangeToken: Sendable, Hashable, Codable {
    let timeline: UInt64
    let number: UInt64
}

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
    /// - Throws: `PersistentChangeError.detailsUnavailable` for a transaction of more objects than the library
    ///   remembers.
    public func assetDetails() throws(PersistentChangeError) -> Details<AssetIdentifier> {
        guard let details = entry.details else { throw .detailsUnavailable }
        return Details(
            inserted: Set(details.insertedAssets), updated: Set(details.updatedAssets),
            deleted: Set(details.deletedAssets))
    }

    /// The albums that the transaction changed.
    ///
    /// - Throws: `PersistentChangeError.detailsUnavailable` for a transaction of more objects than the library
    ///   remembers.
    public func albumDetails() throws(PersistentChangeError) -> Details<CollectionIdentifier> {
        try collectionDetails { $0.kind == .album }
    }

    /// The folders that the transaction changed.
    ///
    /// - Throws: `PersistentChangeError.detailsUnavailable` for a transaction of more objects than the library
    ///   remembers.
    public func folderDetails() throws(PersistentChangeError) -> Details<CollectionIdentifier> {
        try collectionDetails { $0.kind == .folder }
    }

    /// Albums and folders.
    ///
    /// - Throws: `PersistentChangeError.detailsUnavailable` for a transaction of more objects than the library
    ///   remembers.
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

/// After either, everything is to be looked at anew.
public enum PersistentChangeError: Error, Equatable, Sendable {
    /// The history does not reach back so far, or the token is another library's, or of a change that was lost because the
    /// library was not saved after it (3105).
    case tokenExpired
    /// The transaction touched more objects than are remembered one by one (3210).
    case detailsUnavailable

    /// PhotoKit's number for the error.
    public var code: Int {
        switch self {
        case .tokenExpired: 3105
        case .detailsUnavailable: 3210
        }
    }
}

extension PhotoLibrary {
    /// The present point of the library's history. Cheap.
    public var currentChangeToken: ChangeToken {
        core.read { ChangeToken(timeline: $0.history.currentTimeline, number: $0.snapshot.number) }
    }

    /// The transactions since a point, the oldest first. A limited view is told of the assets that it sees.
    ///
    /// - Throws: `PersistentChangeError.tokenExpired` if the history does not reach back to the token.
    /// - Complexity: linear in the number of transactions since then.
    public func persistentChanges(
        since token: ChangeToken
    ) throws(PersistentChangeError) -> [PersistentChange] {
        let (history, number) = core.read { ($0.history, $0.snapshot.number) }
        guard history.contains(token, upTo: number), token.number + UInt64(history.entries.count) >= number
        else { throw .tokenExpired }
        let view = view
        return history.entries.suffix(Int(number - token.number)).map { entry in
            PersistentChange(token: history.token(entry.number), entry: entry.seen(by: view))
        }
    }
}
