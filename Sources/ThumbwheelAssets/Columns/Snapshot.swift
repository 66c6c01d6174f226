import Foundation

/// The contents of a library at one moment, which never change and are shared by all readers. The next snapshot shares
/// all parts that its transaction did not change.
final class Snapshot: Sendable {
    /// The number of transactions that led to this snapshot.
    let number: UInt64
    /// A number that rises when `compacted` renumbers the rows, which is rare. Only row numbers of the same numbering can
    /// be compared.
    let numbering: UInt64
    /// The chunks of rows; all but the last are full. As long as `numbering` stays the same, a row keeps its number,
    /// and no other row gets that number.
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

    /// The row of an asset; nil if the library has no such asset or it was deleted for good.
    func row(of identifier: AssetIdentifier) -> UInt32? {
        index.row(of: identifier) { self.identifier(of: $0) }
    }

    func asset(at row: UInt32) -> Asset { Asset(chunks[Chunk.index(of: row)], slot: Chunk.slot(of: row)) }

    func flag(_ flag: RowFlag, of row: UInt32) -> Bool {
        chunks[Chunk.index(of: row)].columns[flag, Chunk.slot(of: row)]
    }

    /// The rows that were changed, added or deleted by transactions after the older snapshot, in ascending order.
    ///
    /// Chunks that both snapshots share are skipped without reading their rows.
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
