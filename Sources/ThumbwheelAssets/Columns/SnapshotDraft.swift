import ThumbwheelCore

/// The next snapshot while a transaction is writing it, on one thread. Nobody else sees it before it is published.
final class SnapshotDraft {
    let base: Snapshot
    let number: UInt64
    private let timeline: UInt64
    private var pictureCount: UInt64 = 0
    /// The chunks that the transaction has copied or added, by their index.
    private var open: [Int: ChunkColumns] = [:]
    private(set) var rowCount: Int
    private var index: IdentifierIndex
    var collections: CollectionTable
    var journal = ChangeJournal()
    /// For rows of this draft, their thumbnail hashes. The hashes are stored in the library when the draft has been
    /// published. If the draft is abandoned, none of them is stored.
    private var hashes: [(row: UInt32, contentVersion: UInt32, hash: ThumbHash)] = []
    /// For rows of this draft, the digests of their files. A digest is a hash of all bytes of a file. The digests are
    /// stored in the library when the draft has been published.
    private var digests: [(row: UInt32, digest: ContentDigest)] = []
    /// Whether the draft has new marks of files. If so, it is published even if it contains no change that observers
    /// are told of. A mark is the data by which imports recognize a moved or renamed file.
    private(set) var hasNewMarks = false
    /// Whether the draft may still be changed. It is false as soon as a snapshot may share its columns.
    var isOpen = true
    /// The first error that an operation has reported. A draft with an error is not published.
    private(set) var firstError: ChangeError?

    /// Makes a draft of the snapshot that follows `base`.
    ///
    /// The draft gives each new picture a version. It consists of the timeline (a random number that identifies the
    /// library object), the number of the draft and a count. So only one draft with the same timeline and number may be
    /// published: two such drafts could give the same version to different pictures.
    ///
    /// - Parameter timeline: a random number that identifies the library object.
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

    /// Returns the finished snapshot.
    func published() -> Snapshot {
        var chunks = base.chunks
        for index in open.keys.sorted() {
            guard let columns = open[index] else { continue }
            if index < chunks.count { chunks[index] = Chunk(columns) } else { chunks.append(Chunk(columns)) }
        }
        // Leaves the number as it was in `base` if the draft has changed only marks of files. A mark is the data by
        // which imports recognize a moved file. Readers cannot see marks, so such a draft does not count as a
        // transaction.
        return Snapshot(
            number: journal.isEmpty ? base.number : number, numbering: base.numbering, chunks: chunks,
            rowCount: rowCount, index: index, collections: collections)
    }

    /// Collects the thumbnail hash that was given with an asset, together with the content version of the row. The hash
    /// is stored when the draft has become a snapshot.
    func note(_ hash: ThumbHash?, of row: UInt32) {
        guard let hash else { return }
        hashes.append((row, read(row) { $0.contentVersion(at: $1) }, hash))
    }

    /// Collects the digest of an asset's main file (its photograph or video). The digest is stored when the draft has
    /// become a snapshot.
    func note(_ digest: ContentDigest, of row: UInt32) { digests.append((row, digest)) }

    /// Stores, in the published snapshot, the hashes and digests that `note` has collected. A hash is dropped if the
    /// pixels of its row have changed since the call of `note`.
    func storeHashesAndDigests(in snapshot: Snapshot) {
        for (row, contentVersion, hash) in hashes {
            let asset = snapshot.asset(at: row)
            if asset.contentVersion == contentVersion { asset.keepThumbHash(hash) }
        }
        for (row, digest) in digests {
            let (columns, slot) = (snapshot.chunks[Chunk.index(of: row)].columns, Chunk.slot(of: row))
            columns.digests.keep(digest, at: slot, original: columns.originalPicture(at: slot))
        }
    }

    /// Returns a picture version that no other picture has. If this draft is abandoned, a later draft may return the
    /// same versions. This does no harm, because nobody has seen the pictures of the abandoned draft.
    func newPicture() -> PictureVersion {
        pictureCount += 1
        return PictureVersion(timeline: timeline, number: number << 32 | pictureCount)
    }

    // MARK: Finding and reading rows

    func row(of identifier: AssetIdentifier) -> UInt32? {
        index.row(of: identifier, identifier(of:))
    }

    /// Returns the rows of several identifiers, in the same order. In a large library, this is faster than to search
    /// for one after another.
    func rows(of identifiers: [AssetIdentifier]) -> [UInt32?] {
        index.rows(of: identifiers, identifier(of:))
    }

    /// Returns the identifier of a row, which the draft must have.
    func identifier(of row: UInt32) -> AssetIdentifier {
        let (chunk, slot) = (Chunk.index(of: row), Chunk.slot(of: row))
        // A row keeps its identifier, so for a row of the base the open chunks need not be searched.
        if Int(row) >= base.rowCount, let open = open[chunk] { return open.identifier(ofPresentRow: slot) }
        return base.chunks[chunk].columns.identifier(ofPresentRow: slot)
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

    // MARK: Changing, adding and removing rows

    /// Changes a row with `body`, and records the number of this draft as the number of the row's last change.
    ///
    /// - Parameter modification: the new modification date of the row; nil keeps the date unless `body` changes it.
    func write<Value>(_ row: UInt32, modification: Double? = nil, _ body: (ChunkColumns, Int) -> Value) -> Value {
        let (columns, slot) = (openColumns(of: row), Chunk.slot(of: row))
        columns.setChange(number, modification: modification, at: slot)
        return body(columns, slot)
    }

    /// Stores the data by which imports recognize the file of a row when it has been moved. This does not count as a
    /// change of the row.
    func setMark(_ mark: FileMark, of row: UInt32) {
        guard read(row, { $0.mark(at: $1) }) != mark else { return }
        openColumns(of: row).setMark(mark, at: Chunk.slot(of: row))
        hasNewMarks = true
    }

    private func openColumns(of row: UInt32) -> ChunkColumns {
        let index = Chunk.index(of: row)
        if let opened = open[index] { return opened }
        let columns = index < base.chunks.count ? ChunkColumns(copying: base.chunks[index].columns) : ChunkColumns()
        open[index] = columns
        return columns
    }

    /// Appends an asset whose identifier the library does not have. Its pictures always get new versions; the versions
    /// in `facts` are ignored.
    func append(_ facts: AssetFacts, _ identifier: AssetIdentifier) -> UInt32 {
        var facts = facts
        facts.picture = newPicture()
        if facts.adjustment != nil { facts.adjustment?.originalPicture = newPicture() }
        // Skips the unused row numbers of a full chunk. A chunk has 512 row numbers, but at most `Chunk.rowCount` rows.
        // If the last chunk is full, the next row begins a new chunk.
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

    /// Deletes an asset for good. Its row remains as a dead row (one without an asset) until the rows are renumbered.
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
