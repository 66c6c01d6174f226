/// Values that lie one after another in a segment file, and are written by one call. For each value of its own, the file system
/// would take about as long as for its bytes.
struct SegmentRun {
    private var file: SegmentFile?
    private var offset = 0
    private var bytes: [UInt8] = []

    /// The length at which a run is written, so that little is in memory twice.
    private static let byteLimit = 128 << 10

    /// Adds a value. Values that do not lie before it in the same file are written first.
    mutating func append(
        _ kept: SegmentTurnover.Kept, to file: SegmentFile, at offset: Int
    ) throws(StoreError) {
        if self.file !== file || self.offset + bytes.count != offset || bytes.count >= Self.byteLimit {
            try write()
            (self.file, self.offset) = (file, offset)
        }
        SegmentRecord(kept.value, for: kept.key).append(kept.value, to: &bytes)
    }

    /// Writes what has been added.
    mutating func write() throws(StoreError) {
        guard let file, !bytes.isEmpty else { return }
        try file.write(bytes, at: offset)
        // A file that is deleted takes no room on the disk once nobody has it open. The memory of a large value is not kept.
        self.file = nil
        bytes.removeAll(keepingCapacity: bytes.count <= 2 * Self.byteLimit)
    }
}
