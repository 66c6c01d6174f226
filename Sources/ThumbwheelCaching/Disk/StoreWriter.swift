import ThumbwheelCore

/// Writes batches of values to a store. One thread uses it at a time.
///
/// Each process appends to a segment of its own. A segment is deleted as a whole once it is the oldest and the store is full.
final class StoreWriter {
    private let index: StoreIndex
    private let segments: SegmentFolder
    private let byteLimit: Int
    /// The segment to which this process appends; nil before its first write.
    private var current: SegmentFile?
    /// Whether the files that killed processes have left behind have been looked for.
    private var hasTidied = false

    /// What a batch has changed.
    struct Report {
        var writtenCount = 0
        var evictedCount = 0
        /// The bytes that all segments and the index take.
        var byteCount = 0
    }

    init(_ index: StoreIndex, _ segments: SegmentFolder, byteLimit: Int) {
        (self.index, self.segments, self.byteLimit) = (index, segments, byteLimit)
    }

    /// The length at which a segment is full, in bytes: a 64th of the bound, within limits.
    private var segmentByteCount: Int {
        min(max(byteLimit / 64, 64 << 10), StoreIndex.segmentByteLimit)
    }

    func write(_ batch: StoreBatch) throws(StoreError) -> Report {
        // The values are made before the transaction begins, so that other processes do not wait for that.
        let values = batch.pending.compactMap { pending in
            pending.make().map { SegmentTurnover.Kept(key: pending.key, value: $0) }
        }
        // Files are deleted only once the transaction that forgets them holds.
        var deleted: [Int64] = []
        let report = try index.transaction { () throws(StoreError) in
            deleted = []
            for key in batch.used { try index.markUsed(key) }
            for damage in batch.damaged { try index.remove(damage.entry, of: damage.key) }
            return try append(values, deleting: &deleted)
        }
        for number in deleted { segments.delete(number) }
        return report
    }

    /// The share of a segment, in bytes, that must have lost its entries before its values are written again.
    private static let hollowShare = 0.1

    /// Writes the values of a segment again, if a part of it is not used any more.
    func rewriteIfHollow(_ segment: StoreIndex.Segment) throws(StoreError) {
        var deleted: [Int64] = []
        try index.transaction { () throws(StoreError) in
            let turnover = SegmentTurnover(index: index, segments: segments)
            let liveByteCount = try turnover.liveByteCount(of: segment)
            guard Double(liveByteCount) < Double(segment.byteCount) * (1 - Self.hollowShare) else { return }
            if segment.number == current?.number { current = nil }
            let (kept, _) = try turnover.giveUp(segment, keepingAtMost: .max, keepsAll: true)
            deleted = [segment.number]
            _ = try append(kept, deleting: &deleted)
        }
        for number in deleted { segments.delete(number) }
    }

    private func append(
        _ values: [SegmentTurnover.Kept], deleting deleted: inout [Int64]
    ) throws(StoreError) -> Report {
        var report = Report()
        var queue = values[...]
        var again: [SegmentTurnover.Kept] = []
        var againByteCount = 0
        var list = try index.segments()
        if !hasTidied { tidy(list) }
        let indexByteCount = try index.byteCount()
        var byteCount = list.reduce(indexByteCount) { $0 + $1.byteCount }
        let turnover = SegmentTurnover(index: index, segments: segments)
        while let next = again.popLast() ?? queue.popFirst() {
            let room = SegmentRecord.byteCount + next.value.bytes.count
            guard room <= byteLimit / 8, room <= SegmentRecord.lengthLimit, try index.entry(next.key) == nil else {
                continue
            }
            while byteCount + room > byteLimit, let oldest = list.first {
                if oldest.number == current?.number { current = nil }
                // If all values of segments in a row are worth keeping, some of them have to go all the same. Otherwise
                // the store would write the same values again for ever.
                let (kept, evictedCount) = try turnover.giveUp(
                    oldest, keepingAtMost: max(0, 2 * segmentByteCount - againByteCount))
                list.removeFirst()
                deleted.append(oldest.number)
                byteCount -= oldest.byteCount
                again += kept
                againByteCount += kept.reduce(0) { $0 + SegmentRecord.byteCount + $1.value.bytes.count }
                report.evictedCount += evictedCount
            }
            guard byteCount + room <= byteLimit else { continue }
            let place = try place(forBytes: room, in: &list)
            try write(next, to: place.file, at: list[place.index].byteCount)
            list[place.index].byteCount += room
            byteCount += room
            try index.setByteCount(list[place.index].byteCount, ofSegment: place.file.number)
            report.writtenCount += 1
        }
        report.byteCount = byteCount
        return report
    }

    private func write(_ next: SegmentTurnover.Kept, to file: SegmentFile, at offset: Int) throws(StoreError) {
        let record = SegmentRecord(next.value, for: next.key)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(SegmentRecord.byteCount + record.length)
        record.append(next.value, to: &bytes)
        try file.write(bytes, at: offset)
        let entry = StoreIndex.Entry(
            segment: file.number, offset: offset, length: record.length, isUsed: false,
            isNegative: record.isNegative, cost: record.cost)
        try index.insert(entry, for: next.key)
    }

    /// Deletes the files that no segment names: a process was killed between a transaction and the deletion of its files. No
    /// other process makes a file at this moment, because this one has the right to write.
    private func tidy(_ list: [StoreIndex.Segment]) {
        hasTidied = true
        let known = Set(list.map(\.number))
        for number in segments.numbers where !known.contains(number) { segments.delete(number) }
    }

    /// The file that takes the next value, and the place of its segment in the list. A new segment is begun if the present one
    /// is full, or if another process has given it up.
    private func place(
        forBytes byteCount: Int, in list: inout [StoreIndex.Segment]
    ) throws(StoreError) -> (file: SegmentFile, index: Int) {
        if let current, let index = list.lastIndex(where: { $0.number == current.number }),
            list[index].byteCount == 0 || list[index].byteCount + byteCount <= segmentByteCount
        {
            return (current, index)
        }
        current = nil
        if let (file, index) = try unfinishedSegment(forBytes: byteCount, in: list) {
            current = file
            return (file, index)
        }
        let number = try index.addSegment()
        // A file without an entry is left over from a process that was killed before its transaction ended.
        segments.delete(number)
        let file = try segments.make(number)
        _ = file.lock()
        current = file
        list.append(StoreIndex.Segment(number: number, byteCount: 0))
        return (file, list.count - 1)
    }

    /// The newest segment, if it has room and no process appends to it any more. So short-lived processes do not leave one
    /// small file each.
    private func unfinishedSegment(
        forBytes byteCount: Int, in list: [StoreIndex.Segment]
    ) throws(StoreError) -> (SegmentFile, Int)? {
        guard let newest = list.last, newest.byteCount + byteCount <= segmentByteCount,
            let file = try? segments.file(newest.number), file.lock()
        else { return nil }
        return (file, list.count - 1)
    }
}
