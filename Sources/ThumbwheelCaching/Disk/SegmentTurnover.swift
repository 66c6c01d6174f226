/// Removes a segment of a store, and finds the values in it that are worth keeping.
///
/// These are values that took long to make for their size, and values that were read since they were written, if most of
/// their neighbours were not. The caller writes them again, to the newest segment. The segment that is removed is the one
/// that nobody has read for the longest time. So the store as a whole evicts nearly in least-recently-used order, without a
/// write for each read: what is read together was mostly written together.
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

    /// The effects of removing a segment, or a part of one.
    struct Removal {
        /// The values to write again.
        var kept: [Kept] = []
        /// The number of values that are lost.
        var evictedCount = 0
        /// Whether the segment is gone. If not, the rest of it is removed by another call.
        var isComplete = true
    }

    /// Removes a segment and its entries from the index, or the first of its entries.
    ///
    /// - Parameters:
    ///   - room: the largest number of bytes of kept values.
    ///   - keepsAll: whether all values are worth keeping.
    ///   - entryLimit: the most entries that are removed.
    func remove(
        _ segment: StoreIndex.Segment, keepingAtMost room: Int, keepsAll: Bool = false, entryLimit: Int = .max
    ) throws(StoreError) -> Removal {
        var removal = Removal()
        // If somebody has deleted the file, its entries stay in the index. Each is removed when a look-up finds no file
        // for it.
        if let file = try segments.file(segment.number) {
            let (values, isWhole) = try liveValues(of: segment, in: file, atMost: entryLimit)
            removal.isComplete = isWhole
            let keepsUsed = StoreRules.keepsUsed(values.count { $0.entry.isUsed }, of: values.count)
            var room = room
            for (record, entry) in values {
                try index.remove(entry, of: record.key)
                let byteCount = SegmentRecord.byteCount + record.length
                let isWorthKeeping =
                    keepsAll || keepsUsed && entry.isUsed
                    || StoreRules.isExpensive(cost: entry.cost, byteCount: entry.length)
                if byteCount <= room, isWorthKeeping, let value = try file.value(of: record, at: entry.offset) {
                    removal.kept.append(Kept(key: record.key, value: value.aged))
                    room -= byteCount
                } else {
                    removal.evictedCount += 1
                }
            }
        }
        if removal.isComplete { try index.removeSegment(segment.number) }
        return removal
    }

    /// The first values of a segment that are still in the index.
    ///
    /// - Returns: the values, and whether these are all.
    private func liveValues(
        of segment: StoreIndex.Segment, in file: SegmentFile, atMost limit: Int
    ) throws(StoreError) -> (values: [(record: SegmentRecord, entry: StoreIndex.Entry)], isWhole: Bool) {
        var values: [(record: SegmentRecord, entry: StoreIndex.Entry)] = []
        var offset = 0
        while offset < segment.byteCount, let record = try file.record(at: offset) {
            if let entry = try index.entry(record.key), entry.segment == segment.number, entry.offset == offset {
                guard values.count < limit else { return (values, false) }
                values.append((record, entry))
            }
            offset += SegmentRecord.byteCount + record.length
        }
        return (values, true)
    }

    /// The bytes of the segment's values that are still in the index.
    func liveByteCount(of segment: StoreIndex.Segment) throws(StoreError) -> Int {
        guard let file = try segments.file(segment.number) else { return 0 }
        return try liveValues(of: segment, in: file, atMost: .max).values.reduce(0) {
            $0 + SegmentRecord.byteCount + $1.record.length
        }
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
