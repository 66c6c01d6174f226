import ThumbwheelCore

/// The next snapshot while a transaction writes it, on one thread; nothing of it is seen before it is published.
final class SnapshotDraft {
    let base: Snapshot
    let number: UInt64
    private let timeline: UInt64
    private var pictureCount: UInt64 = 0
    /// Chunks of which the transaction has copies of its own.
    private var open: [Int: ChunkColumns] = [:]
    private(set) var rowCount: Int
    private var index: IdentifierIndex
    var collections: CollectionTable
    var journal = ChangeJournal()
    /// Of rows, to be kept once what they are of has been published: a draft that is given up leaves nothing behind.
    private var hashes: [(row: UInt32, contentVersion: UInt32, hash: ThumbHash)] = []
    /// Nothing may be written once a snapshot may hold what the draft has made.
    var isOpen = true
    /// The first error of an operation; a draft with an error is not published.
    private(set) var firstError: ChangeError?

    /// - Parameter timeline: the timeline of new pictures. No other draft with this draft's number may be published in
    ///   it.
    init(_ base: Snapshot, timeline: UInt64) {
        self.base = base
        self.timeline = timeline
        number = base.number + 1
        rowCount = base.rowCount
        index = base.index
        collections = base.collections
    }

    func refuse(_ error: ChangeError) {
        if firstError == nil { firstError = error }
    }

    /// The snapshot that the draft has become.
    func published() -> Snapshot {
        var chunks = base.chunks
        for index in open.keys.sorted() {
            guard let columns = open[index] else { continue }
            if index < chunks.count { chunks[index] = Chunk(columns) } else { chunks.append(Chunk(columns)) }
        }
        return Snapshot(
            number: number, numbering: base.numbering, chunks: chunks, rowCount: rowCount, index: index,
            collections: collections)
    }

    /// Notes the hash that an asset came with, if it did, for its row as that is now.
    func note(_ hash: ThumbHash?, of row: UInt32) {
        guard let hash else { return }
        hashes.append((row, read(row) { $0.contentVersion(at: $1) }, hash))
    }

    /// Keeps the hashes that were noted, but for rows that have got other pixels since.
    func keepHashes(in snapshot: Snapshot) {
        for (row, contentVersion, hash) in hashes {
            let asset = snapshot.asset(at: row)
            if asset.contentVersion == contentVersion { asset.keepThumbHash(hash) }
        }
    }

    /// A version that names no picture yet. The versions of an abandoned draft are used again, for no reader has seen
    /// them.
    func newPicture() -> PictureVersion {
        pictureCount += 1
        return PictureVersion(timeline: timeline, number: number << 32 | pictureCount)
    }

    // MARK: Reading

    func row(of identifier: AssetIdentifier) -> UInt32? {
        index.row(of: identifier, identifier(of:))
    }

    func identifier(of row: UInt32) -> AssetIdentifier {
        let (chunk, slot) = (Chunk.index(of: row), Chunk.slot(of: row))
        if let open = open[chunk] { return open.identifier(at: slot) }
        return base.chunks[chunk].columns.identifier(at: slot)
    }

    func flag(_ flag: RowFlag, of row: UInt32) -> Bool {
        let (chunk, slot) = (Chunk.index(of: row), Chunk.slot(of: row))
        if let open = open[chunk] { return open[flag, slot] }
        return base.chunks[chunk].columns[flag, slot]
    }

    func read<Value>(_ row: UInt32, _ body: (ChunkColumns, Int) -> Value) -> Value {
        let (chunk, slot) = (Chunk.index(of: row), Chunk.slot(of: row))
        if let open = open[chunk] { return body(open, slot) }
        return body(base.chunks[chunk].columns, slot)
    }

    func edits(of row: UInt32) -> AssetEdits {
        let (chunk, slot) = (Chunk.index(of: row), Chunk.slot(of: row))
        if let open = open[chunk] { return AssetEdits(copying: open, slot) }
        return AssetEdits(base.chunks[chunk], slot)
    }

    // MARK: Writing

    /// Changes a row, which gets the draft's change number.
    ///
    /// - Parameter modification: its new modification date; nil leaves what `body` does not write.
    func write<Value>(_ row: UInt32, modification: Double? = nil, _ body: (ChunkColumns, Int) -> Value) -> Value {
        let (index, slot) = (Chunk.index(of: row), Chunk.slot(of: row))
        let columns: ChunkColumns
        if let opened = open[index] {
            columns = opened
        } else {
            columns = index < base.chunks.count ? ChunkColumns(copying: base.chunks[index].columns) : ChunkColumns()
            open[index] = columns
        }
        columns.setChange(number, modification: modification, at: slot)
        return body(columns, slot)
    }

    /// Appends an asset whose identifier the library lacks. Its pictures get new versions, wherever its facts come
    /// from.
    func append(_ facts: AssetFacts, _ identifier: AssetIdentifier) -> UInt32 {
        var facts = facts
        facts.picture = newPicture()
        if facts.adjustment != nil { facts.adjustment?.originalPicture = newPicture() }
        // A chunk's last row numbers have no room in its columns.
        if Chunk.slot(of: UInt32(rowCount)) >= Chunk.rowCount {
            rowCount = (Chunk.index(of: UInt32(rowCount)) + 1) << Int(Chunk.rowShift)
        }
        let row = UInt32(rowCount)
        rowCount += 1
        write(row) { [facts] columns, slot in columns.write(facts, identifier, at: slot) }
        index.insert(identifier, row: row, self.identifier(of:))
        journal.insertedRows.append(row)
        return row
    }

    /// Deletes an asset for good. Its row stays, dead, until rows are renumbered.
    func expunge(_ row: UInt32) {
        let identifier = identifier(of: row)
        index.remove(identifier, row: row)
        write(row) { columns, slot in
            for flag in RowFlag.allCases.prefix(RowFlag.scopeCount) { columns[flag, slot] = false }
            columns.dropDetails(at: slot)
            columns.setTrashedDate(nil, at: slot)
        }
        journal.expunged.append(identifier)
    }
}
