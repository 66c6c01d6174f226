/// Looks values up, on a connection of its own.
///
/// Unchecked, because one thread uses a reader at a time: `DiskStore` passes readers on under a lock.
final class StoreReader: @unchecked Sendable {
    private let index: StoreIndex
    private let segments: SegmentFolder

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

    func lookUp(_ key: StoreKey) throws(StoreError) -> Answer {
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
            guard let present = try index.entry(key) else { return .missing }
            if present.place == entry.place { return .damaged(entry) }
            entry = present
        }
        return .missing
    }
}
