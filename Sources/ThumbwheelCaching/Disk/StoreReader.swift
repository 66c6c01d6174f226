import ThumbwheelCore

/// Looks values up, on a connection of its own.
///
/// Look-ups that follow one another closely see one state of the index, which is up to twenty milliseconds old. SQLite's locks
/// would otherwise take as long as the look-up itself, and threads would wait for one another.
///
/// Unchecked, because one thread uses a reader at a time: the one that holds the lock of its lane.
final class StoreReader: @unchecked Sendable {
    private let index: StoreIndex
    private let segments: SegmentFolder
    /// When the state of the index that look-ups see was the latest; nil if the next look-up sees the latest.
    private var readingSince: MonotonicTime?

    private static let readingTime = Duration.milliseconds(20)

    /// A value that was found, and its entry.
    struct Found {
        let value: StoredValue
        let entry: StoreIndex.Entry
    }

    enum Answer {
        case found(Found)
        case missing
        /// The index knows the value, but its bytes are not the ones that were written.
        case damaged(StoreIndex.Entry)
    }

    init(_ index: StoreIndex, _ segments: SegmentFolder) {
        (self.index, self.segments) = (index, segments)
    }

    /// Lets the next look-up see the latest state of the index. Until then, SQLite cannot begin its log anew.
    func endReading() throws(StoreError) {
        guard readingSince != nil else { return }
        readingSince = nil
        try index.endReading()
    }

    func lookUp(_ key: StoreKey, at now: MonotonicTime) throws(StoreError) -> Answer {
        if let readingSince, now >= readingSince.advanced(by: Self.readingTime) { try endReading() }
        if readingSince == nil {
            try index.beginReading()
            readingSince = now
        }
        guard var entry = try index.entry(key) else { return .missing }
        // A segment can be given up between the look-up of the entry and the opening of the file. The value may have been
        // written again to another segment by then.
        for _ in 0..<2 {
            if let file = try? segments.file(entry.segment) {
                guard let value = try file.value(of: key, length: entry.length, at: entry.offset) else {
                    return .damaged(entry)
                }
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
