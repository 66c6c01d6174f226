/// Values whose bytes a process has appended to segment files, and of which the index does not know yet.
///
/// Their bytes take no memory any more. The index learns of many values in one transaction, because each of its pages then goes
/// to the log once. Until then nobody finds the values, and they are lost if the process is killed: the next writer writes over
/// them.
struct SegmentAhead {
    /// The entries that the index lacks.
    private(set) var entries: [(key: StoreKey, entry: StoreIndex.Entry)] = []
    /// Where the next value goes in the file of the segment to which the process appends.
    private(set) var offset = 0
    /// Where the room ends in this file that counts as taken already. Up to there, the store does not grow.
    private var end = 0

    /// Whether a value of so many bytes, its record included, can be appended.
    func hasRoom(forBytes byteCount: Int) -> Bool { offset + byteCount <= end }

    /// Goes on in another file, or in the same one after others have been written there.
    mutating func move(to offset: Int, end: Int) { (self.offset, self.end) = (offset, end) }

    /// Notes a value that is appended to a file at `offset`.
    mutating func append(_ kept: SegmentTurnover.Kept, in file: SegmentFile) {
        entries.append((kept.key, StoreIndex.Entry(kept.value, in: file, at: offset)))
        offset += kept.roomByteCount
    }

    /// Takes all entries, in the order of the rows of the index: neighbours there share pages.
    mutating func take() -> [(key: StoreKey, entry: StoreIndex.Entry)] {
        defer { entries = [] }
        return entries.sorted { $0.key.row < $1.key.row }
    }
}
