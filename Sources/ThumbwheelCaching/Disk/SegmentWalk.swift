/// Visits the values of a segment that are still in the index.
///
/// Each record tells where the next one begins, so the file is read from one to the next. Behind a damaged record that
/// is no longer known, and the places of the values are taken from the index, all of which has to be read for that.
struct SegmentWalk {
    let index: StoreIndex
    let segment: StoreIndex.Segment
    /// The file of the segment; nil if somebody has deleted it.
    let file: SegmentFile?

    struct Value {
        /// The row of the entry in the index.
        let row: Int64
        let entry: StoreIndex.Entry
        /// The record in front of the value; nil if it is damaged.
        let record: SegmentRecord?

        /// The bytes that the value takes in a segment, with its record. The length in a damaged entry may be any
        /// number.
        var roomByteCount: Int { SegmentRecord.byteCount + (record?.length ?? 0) }
    }

    /// Calls a closure with the values from an offset on, in the order of the file, until it returns false.
    ///
    /// - Returns: the offset of the value for which it has returned false; nil if it has been called with all.
    func visit(from start: Int, _ body: (Value) throws(StoreError) -> Bool) throws(StoreError) -> Int? {
        // Values before `sound` have been visited, or are not in the index.
        var (offset, sound) = (start, start)
        while offset < segment.byteCount {
            guard let record = try file?.record(at: offset) else { return try visitByIndex(from: sound, body) }
            let next = offset + SegmentRecord.byteCount + record.length
            if let entry = try index.entry(record.key), entry.segment == segment.number, entry.offset == offset {
                // The length in the record is damaged, and no record begins at `next`.
                guard entry.length == record.length else { return try visitByIndex(from: sound, body) }
                guard try body(Value(row: record.key.row, entry: entry, record: record)) else { return offset }
                sound = next
            }
            offset = next
        }
        // A damaged length may lead beyond the end.
        return offset == segment.byteCount ? nil : try visitByIndex(from: sound, body)
    }

    private func visitByIndex(from start: Int, _ body: (Value) throws(StoreError) -> Bool) throws(StoreError) -> Int? {
        for (row, entry) in try index.entries(ofSegment: segment.number, from: start) {
            var record = try file?.record(at: entry.offset)
            if record?.key.row != row || record?.length != entry.length { record = nil }
            guard try body(Value(row: row, entry: entry, record: record)) else { return entry.offset }
        }
        return nil
    }

    /// Reads a value; nil if its bytes are damaged.
    func read(_ value: Value) throws(StoreError) -> (key: StoreKey, value: StoredValue)? {
        guard let file, let record = value.record else { return nil }
        return try file.value(of: record, at: value.entry.offset).map { (record.key, $0) }
    }
}
