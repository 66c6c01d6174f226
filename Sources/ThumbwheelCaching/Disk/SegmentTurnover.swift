/// Gives up the oldest segment of a store, and finds the values of it that are worth keeping.
///
/// Values that were read since they were written get another life in the newest segment, and so do values that were much dearer
/// to make than most. So the store as a whole evicts nearly in the order of last uses, although no use is written down at
/// once.
struct SegmentTurnover {
    let index: StoreIndex
    let segments: SegmentFolder

    /// A value that is written again.
    struct Kept {
        let key: StoreKey
        let value: StoredValue
    }

    /// Values that took this many microseconds for each of their bytes count as dear. A thumbnail of 12 KB is dear if it took
    /// 120 milliseconds.
    private static let dearCostPerByte = 10.0

    /// Removes the segment and all its entries.
    ///
    /// - Parameters:
    ///   - room: the bytes that the values to write again may take.
    ///   - keepsAll: whether every value is worth writing again.
    /// - Returns: the values to write again, and the number of the others.
    func giveUp(
        _ segment: StoreIndex.Segment, keepingAtMost room: Int, keepsAll: Bool = false
    ) throws(StoreError) -> (kept: [Kept], evictedCount: Int) {
        var kept: [Kept] = []
        var evictedCount = 0
        // The file is missing if somebody has deleted it. Its entries are then found to be damaged one by one.
        if let file = try? segments.file(segment.number) {
            var room = room
            var offset = 0
            while offset < segment.byteCount, let record = try file.record(at: offset) {
                let byteCount = SegmentRecord.byteCount + record.length
                if let entry = try index.entry(record.key), entry.segment == segment.number, entry.offset == offset {
                    try index.remove(entry, of: record.key)
                    if byteCount <= room, keepsAll || Self.isWorthKeeping(entry),
                        let value = try file.value(of: record, at: offset)
                    {
                        kept.append(Kept(key: record.key, value: value.aged))
                        room -= byteCount
                    } else {
                        evictedCount += 1
                    }
                }
                offset += byteCount
            }
        }
        try index.removeSegment(segment.number)
        return (kept, evictedCount)
    }

    /// The bytes of a segment that entries still name.
    func liveByteCount(of segment: StoreIndex.Segment) throws(StoreError) -> Int {
        var (byteCount, offset) = (0, 0)
        guard let file = try? segments.file(segment.number) else { return 0 }
        while offset < segment.byteCount, let record = try file.record(at: offset) {
            let length = SegmentRecord.byteCount + record.length
            if let entry = try index.entry(record.key), entry.segment == segment.number, entry.offset == offset {
                byteCount += length
            }
            offset += length
        }
        return byteCount
    }

    /// Whether a value is worth another life.
    private static func isWorthKeeping(_ entry: StoreIndex.Entry) -> Bool {
        entry.isUsed || Double(entry.cost) >= dearCostPerByte * Double(max(1, entry.length))
    }
}

extension StoredValue {
    /// The value for its next life in the store. Its cost counts for less each time, so that a dear value that nobody reads goes
    /// in the end.
    fileprivate var aged: StoredValue {
        var value = self
        value.cost /= 4
        return value
    }
}
