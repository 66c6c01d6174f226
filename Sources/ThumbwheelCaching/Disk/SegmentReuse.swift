/// The files of removed segments, which are kept to become those of the next new ones.
///
/// When a file is deleted, the system takes its pages from memory and its blocks from the disk, and finds others for the
/// next file. That takes more than twice as long as copying the values. A file that is written over keeps both.
///
/// A look-up that began before the segment was removed may read what has been written over its value. The record there
/// tells it so, and it looks for the value once more (`StoreReader`).
///
/// The room of as many files as one transaction fills counts as taken even if there are none, so that segments can be removed
/// in the same transaction in which their successors are written, before their own files are free. If the process is killed,
/// the next writer deletes the files that are kept, because the index does not know them.
struct SegmentReuse {
    private let segments: SegmentFolder
    private let segmentByteCount: Int
    /// The files that one transaction fills; 0 if a file takes more than a 64th of the byte limit, and none is kept.
    private let fileCount: Int
    /// Segments that are no longer in the index, and the lengths of their files.
    private var spares: [(number: Int64, byteCount: Int)] = []

    /// The bytes of values that one transaction writes, if they fill no more than `fileLimit` files. Each page of the index goes
    /// to the log once in a transaction, and where many values share a page, that takes most of the time of a value.
    private static let transactionByteCount = 16 << 20
    /// The most files that one transaction fills, because their room is left free.
    private static let fileLimit = 2

    init(_ segments: SegmentFolder, byteLimit: Int) {
        self.segments = segments
        segmentByteCount = StoreRules.segmentByteCount(byteLimit: byteLimit)
        let isWorthwhile = 64 * segmentByteCount <= byteLimit
        let filled = (Self.transactionByteCount + segmentByteCount - 1) / segmentByteCount
        fileCount = isWorthwhile ? min(filled, Self.fileLimit) : 0
    }

    /// The most bytes of values that one transaction writes.
    var transactionByteCount: Int { max(fileCount, 1) * segmentByteCount }

    /// The most files that are kept. One segment more is removed for a batch when the index or its log has grown.
    private var limit: Int { fileCount + 1 }

    /// The bytes that are to be left free for the kept files.
    var roomByteCount: Int {
        max(fileCount * segmentByteCount, spares.reduce(0) { $0 + $1.byteCount })
    }

    /// Whether a file is kept.
    var hasFile: Bool { !spares.isEmpty }

    func keeps(_ number: Int64) -> Bool { spares.contains { $0.number == number } }

    /// Keeps the file of a segment that has been removed from the index, or deletes it. A file to which another process appends
    /// is deleted: that process would write over the values of the next segment, until it finds its own removed.
    mutating func take(_ number: Int64) {
        let byteCount = segments.byteCount(of: number)
        // A file of another byte limit may be longer than a new segment becomes.
        guard fileCount > 0, spares.count < limit, 2 * byteCount >= segmentByteCount,
            byteCount <= segmentByteCount, segments.isUnlocked(number)
        else { return segments.delete(number) }
        spares.append((number, byteCount))
    }

    /// Makes the file of a new segment, from a kept one if there is one. The caller is in the transaction that adds the
    /// segment, so no other process deletes the file as one that the index does not know.
    mutating func make(_ number: Int64) throws(StoreError) -> SegmentFile {
        // A file with this number has been left behind by a process that was killed before its transaction ended.
        segments.delete(number)
        if let spare = spares.popLast(), let file = segments.rename(spare.number, to: number) { return file }
        return try segments.make(number)
    }

    /// Deletes the kept files, before the store is closed.
    mutating func end() {
        for spare in spares { segments.delete(spare.number) }
        spares = []
    }
}
