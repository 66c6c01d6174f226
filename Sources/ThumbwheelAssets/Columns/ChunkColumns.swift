/// The columns of a chunk. All but the ones marked so have room for every row from the start, so that scans need no end.
///
/// Unchecked, because it is written in place: only by the draft that made it, on the thread of its transaction, and never
/// after a snapshot holds it. A class, because a struct of so many arrays costs a reference count for each of them
/// whenever it is passed on.
final class ChunkColumns: @unchecked Sendable {
    var count: Int
    /// `Chunk.wordCount` words for each of the first flags; those of the others are settled.
    var flags: [UInt64]
    var creation: [Double]
    var creationBounds: DateBounds
    var edits: RowEdits
    /// When rows went to Recently Deleted; empty where none is there.
    private(set) var trashed: [Double]
    /// What few rows have.
    private(set) var details: [Int: RowDetails]
    /// What most edits do not change. Read for every request: the rule above excludes what checks at run time look for.
    @exclusivity(unchecked) private(set) var settled: SettledColumns
    /// What becomes known of rows beside transactions: one for all versions of the chunk.
    let hashes: HashColumn
    /// Whether the settled columns are this chunk's alone. A copy of the chunk starts without.
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

    /// A copy to be written to. It shares every column until it writes to it.
    ///
    /// - Parameter hashColumn: nil for the other's, where it is to be the same chunk.
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

    /// The settled columns, to be written to: copied unless they are this chunk's alone. The edits go into them.
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
        // A dictionary, like its copies, keeps room for all entries that it ever held, a kilobyte each: rebuild a
        // sparse one.
        guard details.count * 4 < details.capacity else { return }
        details = Dictionary(uniqueKeysWithValues: details.map { ($0.key, $0.value) })
    }

    /// - Parameter date: nil for a row that has left Recently Deleted; its flag must be cleared already.
    func setTrashedDate(_ date: Double?, at slot: Int) {
        if date == nil, trashed.isEmpty { return }
        if trashed.isEmpty { trashed = Self.column(AbsentNumber.value) }
        trashed[slot] = date ?? AbsentNumber.value
        if date == nil, mask(.trashed).isEmpty { trashed = [] }
    }

    /// Replaces details and dates by stored ones.
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
            // No copy of shared planes for what is so already.
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

    /// A flag of all rows.
    func mask(_ flag: RowFlag) -> RowMask {
        let start = flag.rawValue * Chunk.wordCount
        return start < flags.count ? Self.plane(flags, start) : Self.plane(settled.flags, start - flags.count)
    }

    private static func plane(_ flags: [UInt64], _ start: Int) -> RowMask {
        // The words of a plane lie one after another, as those of a mask do.
        flags.withUnsafeBytes { bytes in
            bytes.loadUnaligned(fromByteOffset: start * MemoryLayout<UInt64>.stride, as: RowMask.self)
        }
    }
}
