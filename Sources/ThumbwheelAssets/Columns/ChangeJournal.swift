/// What a transaction did, for those who must be asked or told.
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
