/// The record of a transaction's changes. The access policy is asked to allow these changes, and the history keeps
/// them.
struct ChangeJournal {
    var insertedRows: [UInt32] = []
    var updatedRows: Set<UInt32> = []
    var expunged: [AssetIdentifier] = []
    var insertedCollections: [CollectionIdentifier] = []
    var updatedCollections: Set<CollectionIdentifier> = []
    var deletedCollections: [CollectionIdentifier] = []

    var isEmpty: Bool {
        insertedRows.isEmpty && updatedRows.isEmpty && expunged.isEmpty && insertedCollections.isEmpty
            && updatedCollections.isEmpty && deletedCollections.isEmpty
    }
}
