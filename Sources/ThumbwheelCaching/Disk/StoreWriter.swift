import ThumbwheelCore

/// Writes batches of values to a store. One thread uses it at a time.
///
/// Each process appends to a segment of its own. If the store is full, the segment that nobody has read for the longest
/// time is removed as a whole, and its file becomes that of the next new segment. Room for the files that one transaction fills
/// is left free. So the store takes at no moment much more than its byte limit: for each process that writes, the values of
/// one segment that are written again.
final class StoreWriter {
    let index: StoreIndex
    private let segments: SegmentFolder
    private let byteLimit: Int
    /// The segment to which this process appends; nil before its first write.
    private var current: SegmentFile?
    private var reuse: SegmentReuse
    /// The bytes of the files of removed segments that other processes keep, as of the start of the transaction.
    private var strayByteCount = 0
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
    /// Values that have been appended, and of which the next transaction tells the index.
    private var ahead = SegmentAhead()
    /// What this process has read, as far as the index does not know it.
    private var reads = ReadNotes()

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
        reuse = SegmentReuse(segments, byteLimit: byteLimit)
    }

    private var segmentByteCount: Int { StoreRules.segmentByteCount(byteLimit: byteLimit) }

    /// Gives the disk back what only the next batches would have needed. A store that somebody has put in the place of this
    /// one may have files of the same names, and keeps them.
    func end() {
        if (try? index.checkPlace()) != nil { reuse.end() }
    }

    // MARK: Values of which the index does not know yet

    /// The number of values that have been appended, and that the index does not have yet.
    var aheadCount: Int { ahead.entries.count }

    /// Appends values to the files whose room counts as taken, and leaves it to a later call to tell the index.
    ///
    /// - Returns: the number of values, from the first on, that need nothing more than that.
    private func appendAhead(_ values: [SegmentTurnover.Kept]) throws(StoreError) -> Int {
        var count = 0
        for value in values {
            if isKept(value) {
                guard try makeRoomAhead(forBytes: value.roomByteCount), let current else { break }
                try run.append(value, to: current, at: ahead.offset)
                ahead.append(value, in: current)
            }
            count += 1
        }
        try run.write()
        return count
    }

    /// Begins a segment in a kept file, if the current one has no room for a value.
    ///
    /// - Returns: whether there is room.
    private func makeRoomAhead(forBytes byteCount: Int) throws(StoreError) -> Bool {
        guard let current else { return false }
        if ahead.hasRoom(forBytes: byteCount) { return true }
        guard byteCount <= segmentByteCount, reuse.hasFile else { return false }
        try run.write()
        return try index.transaction { () throws(StoreError) in
            // Another process may have removed the segment.
            guard try index.segments().contains(where: { $0.number == current.number }) else { return false }
            current.giveUp(from: ahead.offset)
            leaveCurrent()
            let file = try reuse.make(try index.addSegment())
            _ = file.lock()
            self.current = file
            ahead.move(to: 0, end: min(segmentByteCount, try file.byteCount()))
            return ahead.hasRoom(forBytes: byteCount)
        }
    }

    /// Tells the index of the values that have been appended, inside a transaction. Those in segments that somebody has removed
    /// or deleted meanwhile are lost.
    ///
    /// - Returns: whether there were any.
    private func insertAhead(_ report: inout Report) throws(StoreError) -> Bool {
        guard !ahead.entries.isEmpty else { return false }
        var ends: [Int64: Int] = [:]
        for (_, entry) in ahead.entries {
            ends[entry.segment] = max(ends[entry.segment] ?? 0, entry.offset + SegmentRecord.byteCount + entry.length)
        }
        let known = Set(try index.segments().map(\.number))
        ends = ends.filter { known.contains($0.key) && segments.byteCount(of: $0.key) >= $0.value }
        for (key, entry) in ahead.take() {
            report.finishedCount += 1
            if ends[entry.segment] == nil {
                report.evictedCount += 1
            } else if try index.insert(entry, for: key) {
                report.writtenCount += 1
            }
        }
        for (number, byteCount) in ends.sorted(by: { $0.key < $1.key }) {
            try index.setByteCount(byteCount, ofSegment: number)
            try index.touchSegment(number)
        }
        return true
    }

    // MARK: Batches

    /// Writes a batch, in several transactions if it is large.
    ///
    /// - Parameters:
    ///   - now: the present time, which decides whether the index learns of values that have been read.
    ///   - report: is told what has been done. If a later transaction fails, the effects of the earlier ones stay.
    func write(_ batch: StoreBatch, at now: MonotonicTime, _ report: inout Report) throws(StoreError) {
        // The values are made before the transaction begins, so that other processes do not wait for that.
        let values = batch.pending.compactMap { pending in
            pending.make().map { SegmentTurnover.Kept(key: pending.key, value: $0) }
        }
        try index.checkPlace()
        segments.closeDeleted(at: now)
        // Somebody who deletes the file that is written to leaves its segment in the index.
        if let current, current.isDeleted { leaveCurrent() }
        report.finishedCount = batch.pending.count - values.count
        var rest = values[...]
        if !batch.isDue { rest = rest.dropFirst(try appendAhead(values)) }
        reads.add(batch, at: now)
        let read = try reads.takeSegments(of: index)
        if !batch.damaged.isEmpty || !read.isEmpty {
            try index.transaction { () throws(StoreError) in
                for number in read { try index.touchSegment(number) }
                for damage in batch.damaged { try index.remove(damage.entry, of: damage.key) }
            }
        }
        try reads.tellUses(to: index, at: now, isFinal: batch.isFinal)
        if !batch.isDue, !batch.isFinal, rest.isEmpty { return }
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

    /// Whether values have been read of which the index does not know.
    var owesUses: Bool { reads.hasUses }

    /// Appends values that the store lacks. Before, it removes segments until there is room for them, in the same transaction
    /// if that does not change too many entries: a page of the index then goes to the log once for both.
    private func append(_ values: [SegmentTurnover.Kept], to report: inout Report) throws(StoreError) {
        var keptByteCount = 0
        var isGrowing = values.contains { isKept($0) }
        while true {
            // A transaction that is rolled back has done nothing.
            var next = report
            var removed: [Int64] = []
            let keptBefore = keptByteCount
            let isWritten = try index.transaction { () throws(StoreError) -> Bool in
                var entryCount = values.count + ahead.entries.count
                try lookForStrayFiles()
                if try insertAhead(&next) { isGrowing = true }
                while isGrowing, let removal = try removeColdest(for: values, &keptByteCount, &next) {
                    entryCount += removal.entryCount
                    guard let number = removal.number else { return false }
                    removed.append(number)
                    // Values that are written again take room before the file of the removed segment gives any.
                    guard keptByteCount - keptBefore <= segmentByteCount / 2,
                        try index.mayChange(entryCount: entryCount)
                    else { return false }
                }
                try write(values, &next)
                return true
            }
            report = next
            // The files are touched only after the transaction that removes their segments is committed.
            for number in removed { reuse.take(number) }
            if isWritten { return }
            try? index.shortenLog()
        }
    }

    /// The removal of a segment, or of a part of one, to make room for new values.
    private struct Step {
        /// The segment, if it has been removed as a whole.
        let number: Int64?
        /// The entries that have been removed or written again.
        let entryCount: Int
    }

    /// Takes the values that are appended in one transaction: at most the bytes of as many segments as it fills, or one value.
    private func takeTransaction(from values: inout ArraySlice<SegmentTurnover.Kept>) -> [SegmentTurnover.Kept] {
        var byteCount = 0
        let part = values.prefix(index.transactionEntryLimit).prefix { value in
            byteCount += value.roomByteCount
            return byteCount <= reuse.transactionByteCount
        }
        let taken = part.isEmpty ? values.prefix(1) : part
        values = values.dropFirst(taken.count)
        return Array(taken)
    }

    /// Removes the segment that nobody has read for the longest time, or a part of it, if there is no room for new values.
    /// Those of its own values that are worth keeping are written again.
    ///
    /// - Returns: nil if there is room, or nothing left to remove.
    private func removeColdest(
        for values: [SegmentTurnover.Kept], _ keptByteCount: inout Int, _ report: inout Report
    ) throws(StoreError) -> Step? {
        let list = try index.segments()
        let needed = values.reduce(0) { sum, value in
            isKept(value) ? sum + value.roomByteCount + StoreIndex.entryByteCount : sum
        }
        let unused = unusedByteCounts(in: list)
        let wanted = max(needed, unused.own) + unused.others + reuse.roomByteCount
        guard try byteCount(with: list) + wanted > byteLimit, let coldest = try index.coldestSegment()
        else { return nil }
        if coldest.number == current?.number { current = nil }
        let room = max(0, StoreRules.keptByteLimit(byteLimit: byteLimit) - keptByteCount)
        let turnover = SegmentTurnover(
            index: index, segments: segments, used: reads.uses(ofSegment: coldest.number))
        let removal = try turnover.remove(
            coldest, from: progress?.number == coldest.number ? progress : nil, keepingAtMost: room,
            entryLimit: index.transactionEntryLimit)
        progress = removal.progress
        if removal.isComplete { reads.removeUses(ofSegment: coldest.number) }
        keptByteCount += removal.kept.reduce(0) { $0 + $1.roomByteCount }
        report.evictedCount += removal.evictedCount
        disappearing = removal.isComplete ? nil : coldest.number
        defer { disappearing = nil }
        try writeKept(removal.kept, &report)
        return Step(
            number: removal.isComplete ? coldest.number : nil, entryCount: removal.evictedCount + removal.kept.count)
    }

    /// The bytes that segments, index and log count for.
    private func byteCount(with segments: [StoreIndex.Segment]) throws(StoreError) -> Int {
        segments.reduce(try index.databaseByteCount() + logByteCount) { $0 + $1.byteCount }
    }

    /// The bytes of files that belong to no value of the index: those behind the last value in the file of this process, which
    /// new values are written over, and those in files of others. Files that are being written to are among the newest.
    private func unusedByteCounts(in list: [StoreIndex.Segment]) -> (own: Int, others: Int) {
        list.suffix(8).reduce(into: (own: 0, others: strayByteCount)) { sums, segment in
            let byteCount = max(0, segments.byteCount(of: segment.number) - segment.byteCount)
            if segment.number == current?.number { sums.own += byteCount } else { sums.others += byteCount }
        }
    }

    /// Whether the store keeps values of this size.
    private func isKept(_ value: SegmentTurnover.Kept) -> Bool {
        value.roomByteCount <= StoreRules.valueByteLimit(byteLimit: byteLimit)
            && value.roomByteCount <= SegmentRecord.lengthLimit
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
        try write(values, &report, isBounded: false)
    }

    /// Writes values, inside a transaction. Those that the store has already are left out.
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
            guard isKept(value), !isBounded || byteCount + room <= byteLimit else { continue }
            let place = try place(forBytes: room, in: &list)
            let offset = list[place.index].byteCount
            guard try index.insert(StoreIndex.Entry(value.value, in: place.file, at: offset), for: value.key) else {
                continue
            }
            try run.append(value, to: place.file, at: offset)
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
        let unused = unusedByteCounts(in: list)
        report.byteCount = byteCount + unused.own + unused.others
        guard let current, let end = list.last(where: { $0.number == current.number })?.byteCount else { return }
        // Other processes may append ahead as well, so the store has to be far from full before its files grow that way.
        let isRoomy = report.byteCount + Self.roomyByteCount <= byteLimit
        ahead.move(
            to: end, end: isRoomy ? segmentByteCount : min(segmentByteCount, segments.byteCount(of: current.number)))
    }

    /// The bytes that must be free before values are appended ahead to files that grow.
    private static let roomyByteCount = 128 << 20

    /// Looks for segment files that the index does not know: another process keeps them to write over them, or has left them
    /// behind when it was killed. The first time, they are deleted, which a process that keeps one finds out when it wants to
    /// use the file. No process makes or renames a file meanwhile, because the caller is in a transaction that writes.
    private func lookForStrayFiles() throws(StoreError) {
        let known = Set(try index.segments().map(\.number))
        let strays = segments.numbers.filter { !known.contains($0) && !reuse.keeps($0) }
        if hasDeletedStrayFiles {
            strayByteCount = strays.reduce(0) { $0 + segments.byteCount(of: $1) }
        } else {
            for number in strays { segments.delete(number) }
        }
        hasDeletedStrayFiles = true
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
        if let current, let segment = list.last(where: { $0.number == current.number }) {
            // Nothing will be written over the bytes behind the last value.
            current.giveUp(from: segment.byteCount)
        }
        leaveCurrent()
        if let (file, index) = try unfinishedSegment(forBytes: byteCount, in: list) {
            current = file
            return (file, index)
        }
        let number = try index.addSegment()
        let file = try reuse.make(number)
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
