/// The last transactions of a library, one entry each.
struct ChangeHistory: Sendable {
    struct Details: Sendable {
        var insertedAssets: [AssetIdentifier] = []
        var updatedAssets: [AssetIdentifier] = []
        var deletedAssets: [AssetIdentifier] = []
        var insertedCollections: [CollectionIdentifier] = []
        var updatedCollections: [CollectionIdentifier] = []
        var deletedCollections: [CollectionIdentifier] = []
    }

    struct Entry: Sendable {
        /// Of the snapshot that the transaction made.
        let number: UInt64
        /// Nil for a transaction that was too large to be remembered.
        var details: Details?
    }

    /// Tells tokens of this library from those of others; the same after it has been saved and loaded.
    var library = UInt64.random(in: .min ... .max)
    var entries: [Entry] = []

    mutating func append(_ entry: Entry, limit: Int) {
        entries.append(entry)
        // Cut now and then and not each time: constant for each transaction on the average.
        if entries.count > max(2 * limit, 16) { entries.removeFirst(entries.count - limit) }
    }
}

extension ChangeHistory.Entry {
    init(_ draft: SnapshotDraft, limit: Int) {
        number = draft.number
        let journal = draft.journal
        let count =
            journal.insertedRows.count + journal.updatedRows.count + journal.expunged.count
            + journal.insertedCollections.count + journal.updatedCollections.count + journal.deletedCollections.count
        guard count <= limit else {
            details = nil
            return
        }
        let change = draft.proposedChange
        let created = Set(change.createdCollections)
        details = ChangeHistory.Details(
            insertedAssets: change.createdAssets, updatedAssets: change.updatedAssets,
            deletedAssets: change.deletedAssets, insertedCollections: change.createdCollections,
            updatedCollections: change.updatedCollections.filter { !created.contains($0) },
            deletedCollections: change.deletedCollections)
    }

    func seen(by view: AccessView) -> ChangeHistory.Entry {
        guard var details else { return self }
        switch view {
        case .all: return self
        case .nothing: details = ChangeHistory.Details()
        case .limited(let identifiers):
            details.insertedAssets.removeAll { !identifiers.contains($0) }
            details.updatedAssets.removeAll { !identifiers.contains($0) }
            details.deletedAssets.removeAll { !identifiers.contains($0) }
        }
        return ChangeHistory.Entry(number: number, details: details)
    }
}
