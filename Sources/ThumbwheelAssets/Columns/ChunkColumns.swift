/// The columns of a chunk. Each has room for every row from the start, so that scans need not check where a column
/// ends. Only columns that are described as possibly empty are an exception.
///
/// The class is unchecked because it is written in place. Only the transaction or the load that made it writes to it,
/// on one thread at a time, and never after a snapshot holds it. It is a class because a struct with so many arrays
/// would change a reference count for each array whenever it is passed on.
final class ChunkColumns: @unchecked Sendable {
    var count: Int
    /// The first `RowFlag.scopeCount` flags: one bit for each row, in `Chunk.wordCount` words for each flag. The other
    /// flags are in `settled`.
    var flags: [UInt64]
    var creation: [Double]
    var creationBounds: DateBounds
    var edits: RowEdits
    /// When rows were moved to Recently Deleted; empty if none of the chunk's rows is there.
    private(set) var trashed: [Double]
    /// The details that only few rows have, by the row's slot in the chunk.
    private(set) var details: [Int: RowDetails]
    /// The columns that most edits do not change. They are read for every request, so run-time exclusivity checks are
    /// switched off. The rule for writing, stated at this class, already excludes conflicting access.
    @exclusivity(unchecked) private(set) var settled: SettledColumns
    /// The thumbnail hashes of the chunk's rows. Hashes are added outside transactions, and all versions of the chunk
    /// share one column of them.
    let hashes: HashColumn
    /// The digests of the rows' files, which are added and shared in the same way.
    let digests: DigestColumn
    /// Whether this chunk alone uses its settled columns. A copy of a chunk first shares them with the original.
    private(set) var ownsSettled: Bool

    init() {
        count = 0
        flags = [UInt64](repeating: 0, count: RowFlag.scopeCount * Chunk.wordCount)
        creation = Self.column(AbsentNumber.value)
        creationBounds = DateBounds()
        edits = RowEdits()
        trashed = []
        details = [:]
        settled = SettledColumns()
        hashes = HashColumn()
        digests = DigestColumn()
        ownsSettled = true
    }

    /// Makes a copy to be written to. It shares each column until the column is written to.
    ///
    /// - Parameter isSameChunk: whether the copy is a new version of the same chunk. It then shares the original's hashes
    ///   and digests; another chunk gets columns of its own.
    init(copying other: ChunkColumns, isSameChunk: Bool = true) {
        count = other.count
        flags = other.flags
        creation = other.creation
        creationBounds = other.creationBounds
        edits = other.edits
        trashed = other.trashed
        details = other.details
        settled = other.settled
        hashes = isSameChunk ? other.hashes : HashColumn()
        digests = isSameChunk ? other.digests : DigestColumn()
        ownsSettled = false
    }

    /// The settled columns, for writing. If other versions of the chunk use them too, this version first gets a copy of
    /// its own. The entries of `edits` are written into the copy.
    func ownSettledColumns() -> SettledColumns {
        if !ownsSettled {
            settled = SettledColumns(copying: settled)
            ownsSettled = true
            for edit in edits.edits {
                settled.changeNumber[Int(edit.slot)] = edit.changeNumber
                settled.modification[Int(edit.slot)] = edit.modification
            }
            edits = RowEdits()
        }
        return settled
    }

    func setDetail<Value>(_ detail: WritableKeyPath<RowDetails, Value?>, to value: Value?, at slot: Int) {
        if value == nil, details[slot] == nil { return }
        details[slot, default: RowDetails()][keyPath: detail] = value
        if details[slot]?.isEmpty == true { dropDetails(at: slot) }
    }

    func dropDetails(at slot: Int) {
        guard details.removeValue(forKey: slot) != nil else { return }
        // A dictionary and its copies keep room for as many entries as they ever held, about a kilobyte for each entry.
        // So a dictionary that has become nearly empty is rebuilt.
        guard details.count * 4 < details.capacity else { return }
        details = Dictionary(uniqueKeysWithValues: details.map { ($0.key, $0.value) })
    }

    /// Sets the date at which a row was moved to Recently Deleted.
    ///
    /// - Parameter date: the date in seconds since the reference date; nil for a row that has left Recently Deleted.
    ///   For nil, the row's flag `trashed` must be cleared before.
    func setTrashedDate(_ date: Double?, at slot: Int) {
        if date == nil, trashed.isEmpty { return }
        if trashed.isEmpty { trashed = Self.column(AbsentNumber.value) }
        trashed[slot] = date ?? AbsentNumber.value
        if date == nil, mask(.trashed).isEmpty { trashed = [] }
    }

    /// Sets the details and the dates of deletion to values read from a saved library.
    func setDetails(_ details: [Int: RowDetails], trashed: [Double]) {
        self.details = details
        self.trashed = trashed
    }

    static func column<Value>(_ value: Value) -> [Value] { [Value](repeating: value, count: Chunk.rowCount) }

    subscript(flag: RowFlag, slot: Int) -> Bool {
        get {
            let word = flag.rawValue &* Chunk.wordCount &+ slot >> 6
            let bits = word < flags.count ? flags[word] : settled.flags[word &- flags.count]
            return bits >> UInt64(slot & 63) & 1 == 1
        }
        set {
            // A flag that already has the value is left alone, so that shared columns are not copied needlessly.
            if newValue == self[flag, slot] { return }
            let word = flag.rawValue * Chunk.wordCount + slot >> 6
            let bit: UInt64 = 1 << UInt64(slot & 63)
            if word < flags.count {
                flags[word] ^= bit
            } else {
                ownSettledColumns().flags[word - flags.count] ^= bit
            }
        }
    }

    /// The rows for which a flag is set.
    func mask(_ flag: RowFlag) -> RowMask {
        let start = flag.rawValue * Chunk.wordCount
        return start < flags.count ? Self.plane(flags, start) : Self.plane(settled.flags, start - flags.count)
    }

    private static func plane(_ flags: [UInt64], _ start: Int) -> RowMask {
        // The words of a flag are contiguous, like the words of a `RowMask`, so they can be loaded as one mask.
        flags.withUnsafeBytes { bytes in
            bytes.loadUnaligned(fromByteOffset: start * MemoryLayout<UInt64>.stride, as: RowMask.self)
        }
    }
}
