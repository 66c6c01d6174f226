/// The columns of a chunk, which is a block of rows: one array for each property of the rows. Each array has the length
/// of a full chunk from the start, so that scans need not check its length. The exceptions are columns whose comments
/// say that they may be empty.
///
/// The class is unchecked `Sendable` because its columns are variables. Only the transaction or the load that made an
/// object writes to it, on one thread at a time, and never after it is part of a snapshot. It is a class because a
/// struct with so many arrays would change one reference count for each array whenever it is passed on.
final class ChunkColumns: @unchecked Sendable {
    // Swift's run-time checks for overlapping accesses (exclusivity checks) are turned off, because every request and
    // every copy of a chunk reads these properties and the checks take time. The checks are not needed: only the
    // transaction or the load that made this object writes to it, on one thread at a time.
    //
    // The first properties share a cache line with the object's reference count. A search for a row and the copying of
    // a chunk read them, and in a large library each further cache line is a cache miss.

    /// The columns that most edits do not change.
    @exclusivity(unchecked) private(set) var settled: SettledColumns
    @exclusivity(unchecked) private var creationColumn: CreationColumn
    @exclusivity(unchecked) var edits: RowEdits
    @exclusivity(unchecked) var count: Int
    @exclusivity(unchecked) var creationBounds: DateBounds
    /// The dates at which rows were moved to Recently Deleted; empty if no row of the chunk is there.
    @exclusivity(unchecked) private(set) var trashed: [Double]
    /// The values that only few rows have, by the slot (the position in the chunk) of the row.
    @exclusivity(unchecked) private(set) var details: [Int: RowDetails]
    /// Whether the object in `settled` was made for this version of the chunk. If not, this version shares the object
    /// with the version from which it was copied, and must copy the object before it writes to it.
    private(set) var ownsSettled: Bool
    /// The flags that every fetch reads, as one bit for each row. They are the first `RowFlag.scopeCount` flags, with
    /// `Chunk.wordCount` words for each flag. The flags after them are stored in `settled`.
    ///
    /// The words are stored in this object and not in an array, so that a copy of the chunk takes one block of memory
    /// less, and a reader one cache miss less. They must be read one by one: any other access, for example by a span,
    /// first copies all words.
    @exclusivity(unchecked) private var scopeFlags: InlineArray<48, UInt64>
    private static let scopeWordCount = RowFlag.scopeCount * Chunk.wordCount

    init() {
        count = 0
        scopeFlags = InlineArray(repeating: 0)
        precondition(scopeFlags.count == Self.scopeWordCount)
        creationColumn = CreationColumn(Self.column(AbsentNumber.value))
        creationBounds = DateBounds()
        edits = RowEdits()
        trashed = []
        details = [:]
        settled = SettledColumns()
        ownsSettled = true
    }

    /// Makes a copy that can be changed. It shares each column with the original until the column is changed.
    ///
    /// - Parameter isSameChunk: true if the copy is a new version of the same chunk. It then shares the columns of
    ///   thumbnail hashes and file digests with the original. False if the copy becomes a chunk of its own, in which
    ///   these two columns are empty.
    init(copying other: ChunkColumns, isSameChunk: Bool = true) {
        count = other.count
        scopeFlags = other.scopeFlags
        creationColumn = other.creationColumn
        creationBounds = other.creationBounds
        edits = other.edits
        trashed = other.trashed
        details = other.details
        settled = isSameChunk ? other.settled : SettledColumns(copying: other.settled, isSameChunk: false)
        ownsSettled = !isSameChunk
    }

    /// Returns the object `settled` for writing. If this version of the chunk shares the object with other versions,
    /// the object is first replaced by a copy. The entries of `edits`, which stand for changes that the shared object
    /// could not take, are then written to the copy and removed from `edits`.
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

    var creation: [Double] {
        @inline(__always) get { creationColumn.dates }
        set { creationColumn = CreationColumn(newValue) }
    }

    /// Sets the creation date of a row. The bounds of the dates are not changed.
    func setCreation(_ date: Double, at slot: Int) {
        // Another version of the chunk may share the dates.
        if !isKnownUniquelyReferenced(&creationColumn) { creationColumn = CreationColumn(creationColumn.dates) }
        creationColumn.dates[slot] = date
    }

    func setDetail<Value>(_ detail: WritableKeyPath<RowDetails, Value?>, to value: Value?, at slot: Int) {
        if value == nil, details[slot] == nil { return }
        details[slot, default: RowDetails()][keyPath: detail] = value
        if details[slot]?.isEmpty == true { dropDetails(at: slot) }
    }

    func dropDetails(at slot: Int) {
        guard details.removeValue(forKey: slot) != nil else { return }
        // Replaces a dictionary that has become nearly empty by a smaller one. A dictionary and its copies keep room
        // for the greatest number of entries that they ever had. This room takes about a kilobyte for each entry.
        guard details.count * 4 < details.capacity else { return }
        details = Dictionary(uniqueKeysWithValues: details.map { ($0.key, $0.value) })
    }

    /// Sets the date at which a row was moved to Recently Deleted.
    ///
    /// - Parameter date: the date in seconds since the reference date; nil if the row has left Recently Deleted. Before
    ///   a call with nil, set the row's flag `trashed` to false: the call frees the column of dates if no row has the
    ///   flag any more.
    func setTrashedDate(_ date: Double?, at slot: Int) {
        if date == nil, trashed.isEmpty { return }
        if trashed.isEmpty { trashed = Self.column(AbsentNumber.value) }
        trashed[slot] = date ?? AbsentNumber.value
        if date == nil, mask(.trashed).isEmpty { trashed = [] }
    }

    /// Sets the row details (values that only few rows have) and the dates at which rows were moved to Recently
    /// Deleted, as read from a library's file.
    func setDetails(_ details: [Int: RowDetails], trashed: [Double]) {
        self.details = details
        self.trashed = trashed
    }

    static func column<Value>(_ value: Value) -> [Value] { [Value](repeating: value, count: Chunk.rowCount) }

    subscript(flag: RowFlag, slot: Int) -> Bool {
        get {
            let word = flag.rawValue &* Chunk.wordCount &+ slot >> 6
            let bits = word < Self.scopeWordCount ? scopeFlags[word] : settled.flags[word &- Self.scopeWordCount]
            return bits >> UInt64(slot & 63) & 1 == 1
        }
        set {
            // If the flag already has the value, nothing is written, so that shared columns are not copied without
            // need.
            if newValue == self[flag, slot] { return }
            let word = flag.rawValue * Chunk.wordCount + slot >> 6
            let bit: UInt64 = 1 << UInt64(slot & 63)
            if word < Self.scopeWordCount {
                scopeFlags[word] ^= bit
            } else {
                ownSettledColumns().flags[word - Self.scopeWordCount] ^= bit
            }
        }
    }

    /// The words of the flags that every fetch reads, for the file of a library.
    var scopeFlagWords: [UInt64] {
        get { (0..<Self.scopeWordCount).map { scopeFlags[$0] } }
        set { for (index, word) in newValue.enumerated() { scopeFlags[index] = word } }
    }

    /// Returns the rows of the chunk for which a flag is set.
    func mask(_ flag: RowFlag) -> RowMask {
        let start = flag.rawValue * Chunk.wordCount
        if start < Self.scopeWordCount {
            return RowMask(
                scopeFlags[start], scopeFlags[start + 1], scopeFlags[start + 2], scopeFlags[start + 3],
                scopeFlags[start + 4], scopeFlags[start + 5], scopeFlags[start + 6], scopeFlags[start + 7])
        }
        // The words of a flag are contiguous, like the words of a `RowMask`, so they can be loaded as one mask.
        return settled.flags.withUnsafeBytes { bytes in
            bytes.loadUnaligned(
                fromByteOffset: (start - Self.scopeWordCount) * MemoryLayout<UInt64>.stride, as: RowMask.self)
        }
    }
}
