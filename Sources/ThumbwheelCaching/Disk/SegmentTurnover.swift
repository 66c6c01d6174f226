/// Removes a segment of a store, and finds the values in it that are worth keeping.
///
/// These are values that took long to make for their size, and values that were read since they were written, if most of
/// their neighbours were not. The caller writes them again, to the newest segment. The segment that is removed is the one
/// that nobody has read for the longest time. So the store as a whole evicts nearly in least-recently-used order, without a
/// write for each read: what is read together was mostly written together.
struct SegmentTurnover {
    let index: StoreIndex
    let segments: SegmentFolder
    /// The rows of values that have been read, as the index does not know yet.
    var used: Set<Int64> = []

    private func isUsed(_ value: SegmentWalk.Value) -> Bool { value.entry.isUsed || used.contains(value.row) }

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
        let contents = SegmentWalk(index: index, segment: segment, file: try segments.file(segment.number))
        var values: [SegmentWalk.Value] = []
        let end = try contents.visit(from: progress?.offset ?? 0) { value throws(StoreError) in
            guard values.count < entryLimit else { return false }
            // The entry has just been looked up, so its page is still in the processor's cache.
            try index.remove(row: value.row, place: value.entry.place)
            values.append(value)
            return true
        }
        var (usedCount, count) = (values.count(where: isUsed), values.count)
        if progress == nil, let end {
            _ = try contents.visit(from: end) { value in
                usedCount += isUsed(value) ? 1 : 0
                count += 1
                return true
            }
        }
        let keepsUsed = progress?.keepsUsed ?? StoreRules.keepsUsed(usedCount, of: count)
        removal.progress = end.map { Progress(number: segment.number, offset: $0, keepsUsed: keepsUsed) }
        var room = room
        for value in values {
            let isWorthKeeping =
                keepsAll || keepsUsed && isUsed(value)
                || StoreRules.isExpensive(cost: value.entry.cost, byteCount: value.entry.length)
            if isWorthKeeping, value.roomByteCount <= room, let kept = try contents.read(value) {
                removal.kept.append(Kept(key: kept.key, value: kept.value.aged))
                room -= value.roomByteCount
            } else {
                removal.evictedCount += 1
            }
        }
        if removal.isComplete { try index.removeSegment(segment.number) }
        return removal
    }

    /// The bytes of the segment's values that are still in the index and have their records.
    func liveByteCount(of segment: StoreIndex.Segment) throws(StoreError) -> Int {
        var byteCount = 0
        let contents = SegmentWalk(index: index, segment: segment, file: try segments.file(segment.number))
        _ = try contents.visit(from: 0) { value in
            if value.record != nil { byteCount += value.roomByteCount }
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
