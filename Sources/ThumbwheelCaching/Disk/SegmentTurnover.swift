/// Removes an old segment of a store, and finds the values in it that are worth keeping.
///
/// These are values that were read since they were written, and values that took long to make for their size. The
/// caller writes them again, to the newest segment. So the store as a whole evicts nearly in least-recently-used order,
/// without a write for each read.
struct SegmentTurnover {
    let index: StoreIndex
    let segments: SegmentFolder

    /// A value that has to be written again.
    struct Kept {
        let key: StoreKey
        let value: StoredValue

        /// The bytes that the value takes in a segment, with its record.
        var roomByteCount: Int { SegmentRecord.byteCount + value.bytes.count }
    }

    /// Removes a segment and its entries from the index.
    ///
    /// - Parameters:
    ///   - room: the largest number of bytes of kept values.
    ///   - keepsAll: whether all values are worth keeping.
    /// - Returns: the values to write again, and the number of values that are lost.
    func remove(
        _ segment: StoreIndex.Segment, keepingAtMost room: Int, keepsAll: Bool = false
    ) throws(StoreError) -> (kept: [Kept], evictedCount: Int) {
        var kept: [Kept] = []
        var evictedCount = 0
        // If somebody has deleted the file, its entries stay in the index. Each is removed when a look-up finds no file
        // for it.
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

    /// The bytes of the segment's values that are still in the index.
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

    private static func isWorthKeeping(_ entry: StoreIndex.Entry) -> Bool {
        StoreRules.isWorthKeeping(isUsed: entry.isUsed, cost: entry.cost, byteCount: entry.length)
    }
}

extension StoredValue {
    /// The value to write again.
    fileprivate var aged: StoredValue {
        var value = self
        value.cost = StoreRules.aged(value.cost)
        return value
    }
}
