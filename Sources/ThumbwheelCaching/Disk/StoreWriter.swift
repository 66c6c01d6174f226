import ThumbwheelCore

/// Writes batches of values to a store. One thread uses it at a time.
///
/// Each process appends to a segment of its own. If the store is full, the segment that nobody has read for the longest
/// time is deleted as a whole, and its file is gone before any byte is written in its place. So the store takes at no moment
/// much more than its byte limit: the values of one segment that are written again, for each process that writes.
final class StoreWriter {
    let index: StoreIndex
    private let segments: SegmentFolder
    private let byteLimit: Int
    /// The segment to which this process appends; nil before its first write.
    private var current: SegmentFile?
    /// Whether files that killed processes have left behind have already been deleted.
    private var hasDeletedStrayFiles = false
    /// The bytes that SQLite's log counts for, as long as a batch is written. Removing values makes the log longer. If that
    /// counted at once, removing tiny values would take more room than it frees, and all values would be removed.
    private var logByteCount = 0
    /// The segment that is being removed in parts; nil if there is none. Nothing is appended to it.
    private var disappearing: Int64?
    /// How far the removal in parts has come; nil if none is under way. Without it, each part would read the segment from its
    /// start. A transaction that is rolled back ends the writer, so this is never ahead of the index.
    private var progress: SegmentTurnover.Progress?
    /// The values that are written by the next call. Its memory serves all batches, so that no batch waits for new pages of
    /// memory.
    private var run = SegmentRun()
    /// What this process has read of each segment since the segment was last counted as read.
    private var reads: [Int64: SegmentReads] = [:]

    /// The effects of writing one batch.
    struct Report {
        /// The values of the batch that need nothing more: they have been written, were there already, or are not to be kept.
        var finishedCount = 0
        /// The values that have been written, with those that were written again.
        var writtenCount = 0
        var evictedCount = 0
        /// The bytes that all segments and the index take.
        var byteCount = 0
    }

    init(_ index: StoreIndex, _ segments: SegmentFolder, byteLimit: Int) {
        (self.index, self.segments, self.byteLimit) = (index, segments, byteLimit)
    }

    private var segmentByteCount: Int { StoreRules.segmentByteCount(byteLimit: byteLimit) }

    /// Writes a batch, in several transactions if it is large.
    ///
    /// - Parameter report: is told what has been done. If a later transaction fails, the effects of the earlier ones stay.
    func write(_ batch: StoreBatch, _ report: inout Report) throws(StoreError) {
        // The values are made before the transaction begins, so that other processes do not wait for that.
        let values = batch.pending.compactMap { pending in
            pending.make().map { SegmentTurnover.Kept(key: pending.key, value: $0) }
        }
        try index.checkPlace()
        segments.closeDeleted(at: .now)
        // Somebody who deletes the file that is written to leaves its segment in the index.
        if let current, current.isDeleted { leaveCurrent() }
        for (number, more) in batch.reads { reads[number, default: SegmentReads()].add(more) }
        let read = try takeReadSegments()
        if !batch.used.isEmpty || !batch.damaged.isEmpty || !read.isEmpty {
            try index.transaction { () throws(StoreError) in
                for number in read { try index.touchSegment(number) }
                for key in batch.used { try index.markUsed(key) }
                for damage in batch.damaged { try index.remove(damage.entry, of: damage.key) }
            }
        }
        report.finishedCount = batch.pending.count - values.count
        var rest = values[...]
        repeat {
            try? index.shortenLog()
            // A log that somebody keeps from being shortened counts in full.
            logByteCount = max(index.logByteCount, index.usualLogByteCount)
            let part = takeTransaction(from: &rest)
            try append(part, to: &report)
            report.finishedCount += part.count
        } while !rest.isEmpty
        try? index.shortenLog()
    }

    /// Appends values that the store lacks. Before, it deletes segments until there is room for them.
    private func append(_ values: [SegmentTurnover.Kept], to report: inout Report) throws(StoreError) {
        var keptByteCount = 0
        while true {
            // A transaction that is rolled back has done nothing.
            var next = report
            let step = try index.transaction { () throws(StoreError) -> Step in
                let lacking = try new(values)
                let step = try removeColdest(for: lacking, &keptByteCount, &next)
                if step == .written { try write(lacking, &next) }
                return step
            }
            report = next
            switch step {
            case .written: return
            case .removed: break
            // The file is deleted only after the transaction that removes its segment is committed.
            case .deleted(let number): segments.delete(number)
            }
            try? index.shortenLog()
        }
    }

    /// A transaction on the way to a place for new values.
    private enum Step: Equatable {
        /// There is room, or nothing left to remove, and the values are written.
        case written
        /// Some values of the coldest segment are removed.
        case removed
        /// The coldest segment is removed, and its file is to be deleted.
        case deleted(Int64)
    }

    /// Takes the values that are appended in one transaction: at most a segment's bytes, or one value.
    private func takeTransaction(from values: inout ArraySlice<SegmentTurnover.Kept>) -> [SegmentTurnover.Kept] {
        var byteCount = 0
        let part = values.prefix(index.transactionEntryLimit).prefix { value in
            byteCount += value.roomByteCount
            return byteCount <= segmentByteCount
        }
        let taken = part.isEmpty ? values.prefix(1) : part
        values = values.dropFirst(taken.count)
        return Array(taken)
    }

    /// Removes the segment that nobody has read for the longest time, or a part of it, if there is no room for new values.
    /// Those of its own values that are worth keeping are written again.
    private func removeColdest(
        for values: [SegmentTurnover.Kept], _ keptByteCount: inout Int, _ report: inout Report
    ) throws(StoreError) -> Step {
        let list = try index.segments()
        if !hasDeletedStrayFiles { deleteStrayFiles(list) }
        let needed = values.reduce(0) { $0 + $1.roomByteCount + StoreIndex.entryByteCount }
        guard needed > 0, try byteCount(with: list) + needed > byteLimit, let coldest = try index.coldestSegment()
        else { return .written }
        if coldest.number == current?.number { current = nil }
        let room = max(0, StoreRules.keptByteLimit(byteLimit: byteLimit) - keptByteCount)
        let turnover = SegmentTurnover(index: index, segments: segments)
        let removal = try turnover.remove(
            coldest, from: progress?.number == coldest.number ? progress : nil, keepingAtMost: room,
            entryLimit: index.transactionEntryLimit)
        progress = removal.progress
        keptByteCount += removal.kept.reduce(0) { $0 + $1.roomByteCount }
        report.evictedCount += removal.evictedCount
        disappearing = removal.isComplete ? nil : coldest.number
        defer { disappearing = nil }
        try writeKept(removal.kept, &report)
        return removal.isComplete ? .deleted(coldest.number) : .removed
    }

    /// The bytes that segments, index and log count for.
    private func byteCount(with segments: [StoreIndex.Segment]) throws(StoreError) -> Int {
        segments.reduce(try index.databaseByteCount() + logByteCount) { $0 + $1.byteCount }
    }

    /// Takes the segments that count as read, in the order of their last reads.
    private func takeReadSegments() throws(StoreError) -> [Int64] {
        guard !reads.isEmpty else { return [] }
        let byteCounts = Dictionary(uniqueKeysWithValues: try index.segments().map { ($0.number, $0.byteCount) })
        reads = reads.filter { byteCounts[$0.key] != nil }
        let read = reads.filter { number, reads in
            StoreRules.countsAsRead(reads.byteCount, ofSegmentWith: byteCounts[number] ?? 0)
        }
        for number in read.keys { reads[number] = nil }
        return read.sorted { $0.value.last < $1.value.last }.map(\.key)
    }

    /// The values that the store lacks and keeps.
    private func new(_ values: [SegmentTurnover.Kept]) throws(StoreError) -> [SegmentTurnover.Kept] {
        var new: [SegmentTurnover.Kept] = []
        for value in values {
            if try isNew(value) { new.append(value) }
        }
        return new
    }

    private func isNew(_ value: SegmentTurnover.Kept) throws(StoreError) -> Bool {
        guard value.roomByteCount <= StoreRules.valueByteLimit(byteLimit: byteLimit),
            value.roomByteCount <= SegmentRecord.lengthLimit
        else { return false }
        return try index.entry(value.key) == nil
    }

    /// The share of a segment's bytes that must belong to removed values before the rest is copied to another segment.
    private static let compactionThreshold = 0.1

    /// Copies the remaining values of a segment to the newest one and deletes its file, if it has lost enough values.
    func compactIfNeeded(_ number: Int64) throws(StoreError) {
        var deleted: [Int64] = []
        try index.transaction { () throws(StoreError) in
            // Other processes may have appended values to the segment, or may have removed it.
            guard let segment = try index.segments().first(where: { $0.number == number }) else { return }
            let turnover = SegmentTurnover(index: index, segments: segments)
            let liveByteCount = try turnover.liveByteCount(of: segment)
            guard Double(liveByteCount) < Double(segment.byteCount) * (1 - Self.compactionThreshold) else { return }
            if segment.number == current?.number { current = nil }
            let removal = try turnover.remove(segment, keepingAtMost: .max, keepsAll: true)
            deleted = [segment.number]
            var report = Report()
            try writeKept(removal.kept, &report)
        }
        for number in deleted { segments.delete(number) }
    }

    /// Writes values of a removed segment again, inside the transaction that removes it.
    private func writeKept(_ values: [SegmentTurnover.Kept], _ report: inout Report) throws(StoreError) {
        try write(new(values), &report, isBounded: false)
    }

    /// Writes values that the store lacks, inside a transaction.
    ///
    /// - Parameter isBounded: whether values that would exceed the byte limit are left out. Values that take the place of
    ///   others, which are removed in the same transaction, are not.
    private func write(
        _ values: [SegmentTurnover.Kept], _ report: inout Report, isBounded: Bool = true
    ) throws(StoreError) {
        var list = try index.segments()
        var byteCount = try byteCount(with: list)
        var written: [Int64: Int] = [:]
        for value in values {
            let room = value.roomByteCount
            guard !isBounded || byteCount + room <= byteLimit else { continue }
            let place = try place(forBytes: room, in: &list)
            let entry = try run.append(value, to: place.file, at: list[place.index].byteCount)
            try index.insert(entry, for: value.key)
            list[place.index].byteCount += room
            byteCount += room
            written[place.file.number] = list[place.index].byteCount
            report.writtenCount += 1
        }
        try run.write()
        for (number, byteCount) in written.sorted(by: { $0.key < $1.key }) {
            try index.setByteCount(byteCount, ofSegment: number)
            try index.touchSegment(number)
        }
        report.byteCount = byteCount
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
        leaveCurrent()
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

    /// Closes the file to which this process has appended. Look-ups open it again for reading.
    private func leaveCurrent() {
        if let current { segments.close(current) }
        current = nil
    }

    /// The newest segment, if it has room and no other process appends to it. So processes that run only for a short
    /// time do not each leave a small file.
    private func unfinishedSegment(
        forBytes byteCount: Int, in list: [StoreIndex.Segment]
    ) throws(StoreError) -> (SegmentFile, Int)? {
        guard let newest = list.last, newest.number != disappearing, newest.byteCount + byteCount <= segmentByteCount,
            let file = try? segments.fileForAppending(newest.number), file.lock()
        else { return nil }
        return (file, list.count - 1)
    }
}
