import Foundation

/// What a library holds at one moment: never changed, and shared by all who read it. The next one shares with it all that
/// its transaction did not touch.
final class Snapshot: Sendable {
    /// How many transactions there were before it.
    let number: UInt64
    /// Rises when rows are renumbered, which `compacted` does seldom. Only rows of one numbering can be compared.
    let numbering: UInt64
    /// The chunks of rows; all but the last are full. Within a numbering, a row keeps its number, and no other row gets
    /// it.
    let chunks: ChunkList
    let rowCount: Int
    let index: IdentifierIndex
    let collections: CollectionTable

    init(
        number: UInt64 = 0, numbering: UInt64 = 0, chunks: ChunkList = ChunkList(), rowCount: Int = 0,
        index: IdentifierIndex = IdentifierIndex(),
        collections: CollectionTable = CollectionTable()
    ) {
        self.number = number
        self.numbering = numbering
        self.chunks = chunks
        self.rowCount = rowCount
        self.index = index
        self.collections = collections
    }

    @inline(__always)
    func identifier(of row: UInt32) -> AssetIdentifier {
        chunks[Chunk.index(of: row)].columns.identifier(at: Chunk.slot(of: row))
    }

    /// The row of an asset that has not been deleted for good.
    func row(of identifier: AssetIdentifier) -> UInt32? {
        index.row(of: identifier) { self.identifier(of: $0) }
    }

    func asset(at row: UInt32) -> Asset { Asset(chunks[Chunk.index(of: row)], slot: Chunk.slot(of: row)) }

    func flag(_ flag: RowFlag, of row: UInt32) -> Bool {
        chunks[Chunk.index(of: row)].columns[flag, Chunk.slot(of: row)]
    }

    /// The rows that transactions after `number` touched, in their order; those that came and those that went as well.
    ///
    /// Chunks that both snapshots share are passed over without a look at their rows.
    func rowsChanged(since older: Snapshot) -> [UInt32] {
        var rows: [UInt32] = []
        for (index, chunk) in chunks.enumerated() {
            let then = index < older.chunks.count ? older.chunks[index].columns : nil
            if then === chunk.columns { continue }
            for slot in chunk.columns.slotsChanged(after: older.number, since: then) {
                rows.append(Chunk.row(index, slot))
            }
        }
        return rows
    }
}
