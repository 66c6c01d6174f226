import ThumbwheelCore

/// The reads of a process from a store that the index does not know yet.
///
/// The index needs it to choose the segments that are removed, and the values that are written again. Nobody else waits for it,
/// so it is told of many reads at once, and of none while its log cannot be kept short.
struct ReadNotes {
    /// The reads of each segment since it was last counted as read.
    private var segments: [Int64: SegmentReads] = [:]
    /// Values that have been read since they were written.
    private var used = UsedRows()
    /// The time at which the first of them was noted.
    private var usedSince: MonotonicTime?

    /// The number of values that have been read at which the index learns of them. In a large index hardly two of few rows
    /// share a page, and telling it of one would take more time than reading a value.
    private static let usedLimit = 65_536
    /// How long values that have been read wait for others.
    private static let usedTime = Duration.seconds(60)

    mutating func add(_ batch: StoreBatch, at now: MonotonicTime) {
        for (number, more) in batch.reads { segments[number, default: SegmentReads()].add(more) }
        used.add(batch.used)
        if used.count > 0, usedSince == nil { usedSince = now }
    }

    // MARK: Segments

    /// Takes the segments that count as read, in the order of their last reads.
    mutating func takeSegments(of index: StoreIndex, isFinal: Bool) throws(StoreError) -> [Int64] {
        guard !segments.isEmpty, index.hasLogRoom(isUrgent: isFinal) else { return [] }
        let byteCounts = Dictionary(uniqueKeysWithValues: try index.segments().map { ($0.number, $0.byteCount) })
        segments = segments.filter { byteCounts[$0.key] != nil }
        let read = segments.filter { number, reads in
            StoreRules.countsAsRead(reads.byteCount, ofSegmentWith: byteCounts[number] ?? 0)
        }
        for number in read.keys { segments[number] = nil }
        return read.sorted { $0.value.last < $1.value.last }.map(\.key)
    }

    // MARK: Values

    /// Whether values have been read of which the index does not know.
    var hasUses: Bool { used.count > 0 }

    /// The rows of a segment's values that have been read, as the index does not know yet.
    func uses(ofSegment number: Int64) -> Set<Int64> { used.rows(ofSegment: number) }

    /// Forgets the values of a segment, because they are gone or have been written again.
    mutating func removeUses(ofSegment number: Int64) { used.remove(segment: number) }

    /// Tells the index of the values that have been read, if they are many, have waited for long, or somebody waits for that.
    mutating func tellUses(to index: StoreIndex, at now: MonotonicTime, isFinal: Bool) throws(StoreError) {
        guard let usedSince else { return }
        guard isFinal || used.count >= Self.usedLimit || now >= usedSince.advanced(by: Self.usedTime) else { return }
        var rows = used.sorted[...]
        while !rows.isEmpty {
            // The index may be told of a row twice, so all of them are kept for the next time.
            guard index.hasLogRoom(isUrgent: isFinal) else { return }
            try index.transaction { () throws(StoreError) in
                for row in rows.prefix(index.transactionEntryLimit) { try index.markUsed(row: row) }
            }
            rows = rows.dropFirst(index.transactionEntryLimit)
        }
        (used, self.usedSince) = (UsedRows(), nil)
    }
}
