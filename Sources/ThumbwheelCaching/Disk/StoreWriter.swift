import ThumbwheelCore

/// Writes batches of values to a store. One thread uses it at a time.
///
/// Each process appends to a segment of its own. If the store is full, the oldest segment is deleted as a whole.
final class StoreWriter {
    private let index: StoreIndex
    private let segments: SegmentFolder
    private let byteLimit: Int
    /// The segment to which this process appends; nil before its first write.
    private var current: SegmentFile?
    /// Whether files that killed processes have left behind have already been deleted.
    private var hasDeletedStrayFiles = false

    /// The effects of writing one batch.
    struct Report {
        var writtenCount = 0
        var evictedCount = 0
        /// The bytes that all segments and the index take.
        var byteCount = 0
    }

    init(_ index: StoreIndex, _ segments: SegmentFolder, byteLimit: Int) {
        (self.index, self.segments, self.byteLimit) = (index, segments, byteLimit)
    }

    /// The length at which a new segment is begun, in bytes: a 64th of the byte limit, but at least 64 KiB and at most
    /// `StoreIndex.segmentByteLimit`.
    private var segmentByteCount: Int {
        min(max(byteLimit / 64, 64 << 10), StoreIndex.segmentByteLimit)
    }

    func write(_ batch: StoreBatch) throws(StoreError) -> Report {
        // The values are made before the transaction begins, so that other processes do not wait for that.
        let values = batch.pending.compactMap { pending in
            pending.make().map { SegmentTurnover.Kept(key: pending.key, value: $0) }
        }
        // Files are deleted only after the transaction that removes their segments is committed.
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

    /// The share of a segment's bytes that must belong to removed values before the rest is copied to another segment.
    private static let compactionThreshold = 0.1

    /// Copies the remaining values of a segment to the newest one and deletes its file, if it has lost enough values.
    func compactIfNeeded(_ segment: StoreIndex.Segment) throws(StoreError) {
        var deleted: [Int64] = []
        try index.transaction { () throws(StoreError) in
            let turnover = SegmentTurnover(index: index, segments: segments)
            let liveByteCount = try turnover.liveByteCount(of: segment)
            guard Double(liveByteCount) < Double(segment.byteCount) * (1 - Self.compactionThreshold) else { return }
            if segment.number == current?.number { current = nil }
            let (kept, _) = try turnover.remove(segment, keepingAtMost: .max, keepsAll: true)
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
        var rewrites: [SegmentTurnover.Kept] = []
        var rewrittenByteCount = 0
        var list = try index.segments()
        if !hasDeletedStrayFiles { deleteStrayFiles(list) }
        let indexByteCount = try index.byteCount()
        var byteCount = list.reduce(indexByteCount) { $0 + $1.byteCount }
        let turnover = SegmentTurnover(index: index, segments: segments)
        while let next = rewrites.popLast() ?? queue.popFirst() {
            let room = SegmentRecord.byteCount + next.value.bytes.count
            guard room <= byteLimit / 8, room <= SegmentRecord.lengthLimit, try index.entry(next.key) == nil else {
                continue
            }
            while byteCount + room > byteLimit, let oldest = list.first {
                if oldest.number == current?.number { current = nil }
                // The bytes of kept values are limited. If every value of several segments in a row were kept, the
                // store would write the same values again and again and never become smaller.
                let (kept, evictedCount) = try turnover.remove(
                    oldest, keepingAtMost: max(0, 2 * segmentByteCount - rewrittenByteCount))
                list.removeFirst()
                deleted.append(oldest.number)
                byteCount -= oldest.byteCount
                rewrites += kept
                rewrittenByteCount += kept.reduce(0) { $0 + SegmentRecord.byteCount + $1.value.bytes.count }
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

    /// Deletes segment files that the index does not know. A process leaves one behind if it is killed after a
    /// transaction and before it deletes the file. No other process makes a file meanwhile, because the caller is in a
    /// transaction that writes.
    private func deleteStrayFiles(_ list: [StoreIndex.Segment]) {
        hasDeletedStrayFiles = true
        let known = Set(list.map(\.number))
        for number in segments.numbers where !known.contains(number) { segments.delete(number) }
    }

    /// The file for the next value, and the index of its segment in `list`. A new segment is begun if the current one
    /// is full, or if another process has removed it.
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
        // A file with this number has been left behind by a process that was killed before its transaction ended.
        segments.delete(number)
        let file = try segments.make(number)
        _ = file.lock()
        current = file
        list.append(StoreIndex.Segment(number: number, byteCount: 0))
        return (file, list.count - 1)
    }

    /// The newest segment, if it has room and no other process appends to it. So processes that run only for a short
    /// time do not each leave a small file.
    private func unfinishedSegment(
        forBytes byteCount: Int, in list: [StoreIndex.Segment]
    ) throws(StoreError) -> (SegmentFile, Int)? {
        guard let newest = list.last, newest.byteCount + byteCount <= segmentByteCount,
            let file = try? segments.file(newest.number), file.lock()
        else { return nil }
        return (file, list.count - 1)
    }
}
