/// The columns of a chunk. Except for the columns described as possibly empty, each has room for every row from the
/// start, so that scans need not check where a column ends.
///
/// The class is unchecked because it is written in place: only by the draft that made it, on the thread of the draft's
/// transaction, and never after a snapshot holds it. It is a class because a struct with so many arrays would change a
/// reference count for each array whenever it is passed on.
final class ChunkColumns: @unchecked Sendable {
    var count: Int
    /// The bits of the first `RowFlag.scopeCount` flags, `Chunk.wordCount` words for each; the other flags are in the
    /// settled columns.
    var flags: [UInt64]
    var creation: [Double]
    var creationBounds: DateBounds
    var edits: RowEdits
    /// When rows were moved to Recently Deleted; empty if none of the chunk's rows is there.
    private(set) var trashed: [Double]
    /// The details that only few rows have, by slot.
    private(set) var details: [Int: RowDetails]
    /// The columns that most edits do not change. They are read for every request, so run-time exclusivity checks are
    /// switched off; the rule above already excludes conflicting access.
    @exclusivity(unchecked) private(set) var settled: SettledColumns
    /// The thumbnail hashes of rows, which are added outside transactions; all versions of the chunk share one column.
    let hashes: HashColumn
    /// Whether the settled columns belong to this chunk alone; in a copy of a chunk they are shared at first.
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
        ownsSettled = true
    }

    /// Makes a copy to be written to. It shares each column until the column is written to.
    ///
    /// - Parameter hashColumn: the hash column of the copy; nil shares the original's, if the copy is a new version of
    ///   the same chunk.
    init(copying other: ChunkColumns, hashes hashColumn: HashColumn? = nil) {
        count = other.count
        flags = other.flags
        creation = other.creation
        creationBounds = other.creationBounds
        edits = other.edits
        trashed = other.trashed
        details = other.details
        settled = other.settled
        hashes = hashColumn ?? other.hashes
        ownsSettled = false
    }

    /// The settled columns for writing. Unless they belong to this chunk alone, they are copied first, and the listed
    /// edits are written into the copy.
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
        // A dictionary and its copies keep room for all entries that they ever held, about a kilobyte each, so a sparse
        // dictionary is rebuilt.
        guard details.count * 4 < details.capacity else { return }
        details = Dictionary(uniqueKeysWithValues: details.map { ($0.key, $0.value) })
    }

    /// - Parameter date: the date in seconds since the reference date; nil for a row that has left Recently Deleted,
    ///   whose flag must already be cleared.
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

    /// The values of one flag in all rows.
    func mask(_ flag: RowFlag) -> RowMask {
        let start = flag.rawValue * Chunk.wordCount
        return start < flags.count ? Self.plane(flags, start) : Self.plane(settled.flags, start - flags.count)
    }

    private static func plane(_ flags: [UInt64], _ start: Int) -> RowMask {
        // The words of a flag are contiguous, like the words of a mask, so they can be loaded at once.
        flags.withUnsafeBytes { bytes in
            bytes.loadUnaligned(fromByteOffset: start * MemoryLayout<UInt64>.stride, as: RowMask.self)
        }
    }
}
