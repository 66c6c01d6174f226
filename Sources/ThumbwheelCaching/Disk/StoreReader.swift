import ThumbwheelCore

/// Looks values up, with a database connection of its own.
///
/// Look-ups within 20 milliseconds share one read transaction, so they see an index that is up to 20 milliseconds old.
/// A transaction for each look-up would take as long again as the look-up, and threads would wait for SQLite's locks.
///
/// The class is unchecked `Sendable`, because only the thread that holds the lock of the lane uses the reader.
final class StoreReader: @unchecked Sendable {
    let index: StoreIndex
    private let segments: SegmentFolder
    /// The time at which the current read transaction began; nil if there is none.
    private var readingSince: MonotonicTime?

    private static let readingTime = Duration.milliseconds(20)

    /// A value that was found, and its entry in the index.
    struct Found {
        let value: StoredValue
        let entry: StoreIndex.Entry
    }

    enum Answer {
        case found(Found)
        case missing
        /// The value is in the index, but its bytes in the segment file are damaged or missing.
        case damaged(StoreIndex.Entry)
    }

    init(_ index: StoreIndex, _ segments: SegmentFolder) {
        (self.index, self.segments) = (index, segments)
    }

    /// Ends the read transaction, so that the next look-up sees the latest index. SQLite cannot reset its log during
    /// the transaction.
    func endReading() throws(StoreError) {
        guard readingSince != nil else { return }
        readingSince = nil
        try index.endReading()
    }

    /// - Throws: `StoreError` if the index or the segment cannot be read at the moment. A segment without a file is damage.
    func lookUp(_ key: StoreKey, at now: MonotonicTime) throws(StoreError) -> Answer {
        if let readingSince, now >= readingSince.advanced(by: Self.readingTime) { try endReading() }
        if readingSince == nil {
            try index.checkPlace()
            segments.closeDeleted(at: now)
            try index.beginReading()
            readingSince = now
        }
        guard var entry = try index.entry(key) else { return .missing }
        // The segment may be removed between the look-up of the entry and the reading of the file, and another segment may
        // have got the file. The value may have been written again to a newer segment, so the entry is looked up once more.
        for _ in 0..<2 {
            if let file = try segments.file(entry.segment),
                let value = try file.value(of: key, length: entry.length, at: entry.offset)
            {
                return .found(Found(value: value, entry: entry))
            }
            try endReading()
            guard let present = try index.entry(key) else { return .missing }
            if present.place == entry.place { return .damaged(entry) }
            entry = present
        }
        return .missing
    }
}
