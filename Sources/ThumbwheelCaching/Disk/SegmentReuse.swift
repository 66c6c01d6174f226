/// The files of removed segments, which are kept to become those of the next new ones.
///
/// When a file is deleted, the system takes its pages from memory and its blocks from the disk, and finds others for the
/// next file. That takes more than twice as long as copying the values. A file that is written over keeps both.
///
/// A look-up that began before the segment was removed may read what has been written over its value. The record there
/// tells it so, and it looks for the value once more (`StoreReader`).
///
/// The room of one such file counts as taken even if there is none, so that a segment can be removed in the same transaction
/// in which its successor is written, before its own file is free. If the process is killed, the next writer deletes the
/// files that are kept, because the index does not know them.
struct SegmentReuse {
    private let segments: SegmentFolder
    private let segmentByteCount: Int
    /// Whether a file that is kept takes at most a 64th of the byte limit.
    private let isWorthwhile: Bool
    /// Segments that are no longer in the index, and the lengths of their files.
    private var spares: [(number: Int64, byteCount: Int)] = []

    /// The most files that are kept. More than one segment is removed for a batch when the index or its log has grown.
    private static let limit = 2

    init(_ segments: SegmentFolder, byteLimit: Int) {
        self.segments = segments
        segmentByteCount = StoreRules.segmentByteCount(byteLimit: byteLimit)
        isWorthwhile = 64 * segmentByteCount <= byteLimit
    }

    /// The bytes that are to be left free for the kept files.
    var roomByteCount: Int {
        max(isWorthwhile ? segmentByteCount : 0, spares.reduce(0) { $0 + $1.byteCount })
    }

    func keeps(_ number: Int64) -> Bool { spares.contains { $0.number == number } }

    /// Keeps the file of a segment that has been removed from the index, or deletes it.
    mutating func take(_ number: Int64) {
        let byteCount = segments.byteCount(of: number)
        // A file of another byte limit may be longer than a new segment becomes.
        guard isWorthwhile, spares.count < Self.limit, 2 * byteCount >= segmentByteCount,
            byteCount <= segmentByteCount
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
