/// The record of a transaction's changes, from which the access policy is asked and the history is written.
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
