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

    /// How far the removal of a segment in parts has come.
    struct Progress {
        let number: Int64
        /// The place in the file from which on values are still in the index.
        let offset: Int
        /// Whether values that have been read are worth keeping. This is judged once, over the whole segment.
        let keepsUsed: Bool
    }

    /// The effects of removing a segment, or a part of one.
    struct Removal {
        /// The values to write again.
        var kept: [Kept] = []
        /// The number of values that are lost.
        var evictedCount = 0
        /// Where another call goes on; nil if the segment is gone.
        var progress: Progress?

        var isComplete: Bool { progress == nil }
    }

    /// Removes a segment and its entries from the index, or the next of its entries.
    ///
    /// - Parameters:
    ///   - progress: where the call before has stopped; nil if this is the first for the segment.
    ///   - room: the largest number of bytes of kept values.
    ///   - keepsAll: whether all values are worth keeping.
    ///   - entryLimit: the most entries that are removed.
    func remove(
        _ segment: StoreIndex.Segment, from progress: Progress? = nil, keepingAtMost room: Int, keepsAll: Bool = false,
        entryLimit: Int = .max
    ) throws(StoreError) -> Removal {
        var removal = Removal()
        // If somebody has deleted the file, its entries stay in the index. Each is removed when a look-up finds no file
        // for it.
        if let file = try segments.file(segment.number) {
            var values: [(record: SegmentRecord, entry: StoreIndex.Entry)] = []
            let end = try walk(segment, in: file, from: progress?.offset ?? 0) { record, entry in
                guard values.count < entryLimit else { return false }
                values.append((record, entry))
                return true
            }
            var (usedCount, count) = (values.count { $0.entry.isUsed }, values.count)
            if progress == nil, let end {
                _ = try walk(segment, in: file, from: end) { _, entry in
                    usedCount += entry.isUsed ? 1 : 0
                    count += 1
                    return true
                }
            }
            let keepsUsed = progress?.keepsUsed ?? StoreRules.keepsUsed(usedCount, of: count)
            removal.progress = end.map { Progress(number: segment.number, offset: $0, keepsUsed: keepsUsed) }
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

    /// Calls a closure with the values of a segment that are still in the index, in the order of the file, until it returns
    /// false.
    ///
    /// - Returns: the offset of the value for which it has returned false; nil if it has been called with all.
    private func walk(
        _ segment: StoreIndex.Segment, in file: SegmentFile, from start: Int,
        _ body: (SegmentRecord, StoreIndex.Entry) -> Bool
    ) throws(StoreError) -> Int? {
        var offset = start
        while offset < segment.byteCount, let record = try file.record(at: offset) {
            if let entry = try index.entry(record.key), entry.segment == segment.number, entry.offset == offset,
                !body(record, entry)
            {
                return offset
            }
            offset += SegmentRecord.byteCount + record.length
        }
        return nil
    }

    /// The bytes of the segment's values that are still in the index.
    func liveByteCount(of segment: StoreIndex.Segment) throws(StoreError) -> Int {
        guard let file = try segments.file(segment.number) else { return 0 }
        var byteCount = 0
        _ = try walk(segment, in: file, from: 0) { record, _ in
            byteCount += SegmentRecord.byteCount + record.length
            return true
        }
        return byteCount
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
