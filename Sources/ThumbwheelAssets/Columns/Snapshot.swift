import Foundation

/// The contents of a library at one moment. A snapshot never changes, and all readers share it. The next snapshot
/// shares those parts of it that the transaction did not change.
final class Snapshot: Sendable {
    /// The number of transactions before this snapshot.
    let number: UInt64
    /// A number that rises when `compacted` renumbers the rows, which happens rarely. Row numbers can be compared only
    /// if they belong to the same numbering.
    let numbering: UInt64
    /// The chunks (blocks of rows). All except the last are full. While `numbering` stays the same, a row keeps its
    /// number, and the number is not used for another row.
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

    /// Returns the row of an asset; nil if the library has no such asset or the asset was deleted for good.
    func row(of identifier: AssetIdentifier) -> UInt32? {
        index.row(of: identifier) { row in
            chunks[Chunk.index(of: row)].columns.identifier(ofPresentRow: Chunk.slot(of: row))
        }
    }

    /// Returns the rows of several assets in the same order, with nil for each asset that the library does not have. In
    /// a large library, this is faster than to search for one after another.
    func rows(of identifiers: [AssetIdentifier]) -> [UInt32?] {
        index.rows(of: identifiers) { row in
            chunks[Chunk.index(of: row)].columns.identifier(ofPresentRow: Chunk.slot(of: row))
        }
    }

    func asset(at row: UInt32) -> Asset { Asset(chunks[Chunk.index(of: row)], slot: Chunk.slot(of: row)) }

    func flag(_ flag: RowFlag, of row: UInt32) -> Bool {
        chunks[Chunk.index(of: row)].columns[flag, Chunk.slot(of: row)]
    }

    /// Returns the rows that transactions after the older snapshot have changed, added or deleted, in ascending order.
    ///
    /// A chunk that both snapshots share is skipped without reading its rows.
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
