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
    /// The segment to which this process appends.
    private var current: CurrentSegment
    private var room: StoreRoom
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
    /// The reads of this process that the index does not know yet.
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
        current = CurrentSegment(index, segments, byteLimit: byteLimit)
        room = StoreRoom(index, segments)
    }

    private var segmentByteCount: Int { StoreRules.segmentByteCount(byteLimit: byteLimit) }

    /// Gives the disk back what only the next batches would have needed. A store that somebody has put in the place of this
    /// one may have files of the same names, and keeps them.
    func end() {
        if (try? index.checkPlace()) != nil { current.reuse.end() }
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
                guard try makeRoomAhead(forBytes: value.roomByteCount), let file = current.file else { break }
                try run.append(value, to: file, at: ahead.offset)
                ahead.append(value, in: file)
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
        guard let full = current.file else { return false }
        if ahead.hasRoom(forBytes: byteCount) { return true }
        guard byteCount <= segmentByteCount, current.reuse.hasFile else { return false }
        try run.write()
        return try index.transaction { () throws(StoreError) in
            // Another process may have removed the segment.
            guard try index.segments().contains(where: { $0.number == full.number }) else { return false }
            full.giveUp(from: ahead.offset)
            current.leave()
            let file = try current.begin()
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
        if let file = current.file, file.isDeleted { current.leave() }
        report.finishedCount = batch.pending.count - values.count
        var rest = values[...]
        if !batch.isDue { rest = rest.dropFirst(try appendAhead(values)) }
        reads.add(batch, at: now)
        let read = try reads.takeSegments(of: index, isFinal: batch.isFinal)
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
            room.countLog()
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
                try room.lookForStrayFiles(except: current.reuse)
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
            for number in removed { current.reuse.take(number) }
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
            return byteCount <= current.reuse.transactionByteCount
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
        let unused = room.unusedByteCounts(in: list, current: current.file)
        let wanted = max(needed, unused.own) + unused.others + current.reuse.roomByteCount
        guard try room.byteCount(with: list) + wanted > byteLimit, let coldest = try index.coldestSegment()
        else { return nil }
        current.noteRemoval(of: coldest.number)
        let keptLimit = max(0, StoreRules.keptByteLimit(byteLimit: byteLimit) - keptByteCount)
        let turnover = SegmentTurnover(
            index: index, segments: segments, used: reads.uses(ofSegment: coldest.number))
        let removal = try turnover.remove(
            coldest, from: progress?.number == coldest.number ? progress : nil, keepingAtMost: keptLimit,
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
            current.noteRemoval(of: segment.number)
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
        var byteCount = try room.byteCount(with: list)
        var written: [Int64: Int] = [:]
        for value in values {
            let valueByteCount = value.roomByteCount
            guard isKept(value), !isBounded || byteCount + valueByteCount <= byteLimit else { continue }
            let place = try current.place(forBytes: valueByteCount, in: &list, except: disappearing)
            let offset = list[place.index].byteCount
            guard try index.insert(StoreIndex.Entry(value.value, in: place.file, at: offset), for: value.key) else {
                continue
            }
            try run.append(value, to: place.file, at: offset)
            list[place.index].byteCount += valueByteCount
            byteCount += valueByteCount
            written[place.file.number] = list[place.index].byteCount
            report.writtenCount += 1
        }
        try run.write()
        for (number, byteCount) in written.sorted(by: { $0.key < $1.key }) {
            try index.setByteCount(byteCount, ofSegment: number)
            try index.touchSegment(number)
        }
        let unused = room.unusedByteCounts(in: list, current: current.file)
        report.byteCount = byteCount + unused.own + unused.others
        guard let file = current.file, let end = list.last(where: { $0.number == file.number })?.byteCount else {
            return
        }
        // Other processes may append ahead as well, so the store has to be far from full before its files grow that way.
        let isRoomy = report.byteCount + Self.roomyByteCount <= byteLimit
        ahead.move(
            to: end, end: isRoomy ? segmentByteCount : min(segmentByteCount, segments.byteCount(of: file.number)))
    }

    /// The bytes that must be free before values are appended ahead to files that grow.
    private static let roomyByteCount = 128 << 20
}
