/// The list of a transaction's changes. It is shown to the access policy, which may refuse the changes, and is then
/// stored in the history.
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
