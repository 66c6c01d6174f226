/// The sort order of a fetch, used to look up single rows in a sorted result.
struct RowOrder {
    let descriptors: [AssetSortDescriptor]

    /// A row, and the snapshot that its values are read from.
    struct Place {
        let row: UInt32
        let snapshot: Snapshot
    }

    /// Whether the first row comes before the second; ties are broken by the order of import.
    func precedes(_ one: Place, _ other: Place) -> Bool {
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
