/// The sort order of a fetch. It is used to find single rows in a sorted result.
struct RowOrder {
    let descriptors: [AssetSortDescriptor]

    /// A row together with the snapshot in which its values are looked up. A row may have other values in a later
    /// snapshot.
    struct SnapshotRow {
        let row: UInt32
        let snapshot: Snapshot
    }

    /// Returns whether the first row comes before the second one. Rows with equal values are in the order of import.
    func precedes(_ one: SnapshotRow, _ other: SnapshotRow) -> Bool {
        if !descriptors.isEmpty {
            let first = one.snapshot.chunks[Chunk.index(of: one.row)].columns
            let second = other.snapshot.chunks[Chunk.index(of: other.row)].columns
            for descriptor in descriptors {
                let column = descriptor.column
                let (key, otherKey) = (
                    SortKey(column, first, Chunk.slot(of: one.row)), SortKey(column, second, Chunk.slot(of: other.row))
                )
                if key != otherKey { return (key < otherKey) == descriptor.isAscending }
            }
        }
        return one.row < other.row
    }
}
