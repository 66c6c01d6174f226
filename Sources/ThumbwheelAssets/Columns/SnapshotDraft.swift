import ThumbwheelCore

/// The next snapshot while a transaction writes it, on one thread. No reader sees any part of it before it is published.
final class SnapshotDraft {
    let base: Snapshot
    let number: UInt64
    private let timeline: UInt64
    private var pictureCount: UInt64 = 0
    /// The chunks that the transaction has copied or added, by chunk index.
    private var open: [Int: ChunkColumns] = [:]
    private(set) var rowCount: Int
    private var index: IdentifierIndex
    var collections: CollectionTable
    var journal = ChangeJournal()
    /// The thumbnail hashes to store after publication, so that an abandoned draft leaves none behind.
    private var hashes: [(row: UInt32, contentVersion: UInt32, hash: ThumbHash)] = []
    /// Whether the draft may still be written to; false once a snapshot may hold its columns.
    var isOpen = true
    /// The first error that an operation reported; a draft with an error is not published.
    private(set) var firstError: ChangeError?

    /// - Parameter timeline: the timeline of new pictures. No other draft with the same number may be published in this
    ///   timeline.
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

    /// The finished snapshot of the draft.
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

    /// Notes the thumbnail hash that was given with an asset, if any, together with the row's present content version.
    func note(_ hash: ThumbHash?, of row: UInt32) {
        guard let hash else { return }
        hashes.append((row, read(row) { $0.contentVersion(at: $1) }, hash))
    }

    /// Stores the noted hashes, except for rows whose pixels have changed since.
    func keepHashes(in snapshot: Snapshot) {
        for (row, contentVersion, hash) in hashes {
            let asset = snapshot.asset(at: row)
            if asset.contentVersion == contentVersion { asset.keepThumbHash(hash) }
        }
    }

    /// A new picture version that names no other picture. The versions of an abandoned draft are used again, because no
    /// reader has seen them.
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
    /// - Parameter modification: the row's new modification date; nil keeps the date unless `body` writes it.
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

    /// Appends an asset whose identifier the library lacks. Its pictures always get new versions, whatever the source of
    /// its facts.
    func append(_ facts: AssetFacts, _ identifier: AssetIdentifier) -> UInt32 {
        var facts = facts
        facts.picture = newPicture()
        if facts.adjustment != nil { facts.adjustment?.originalPicture = newPicture() }
        // The last row numbers of each chunk are unused, because its columns have fewer rows than it has numbers, so the
        // next row starts a new chunk.
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

    /// Deletes an asset for good. Its row stays as a dead row until rows are renumbered.
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
