/// Values that are written to a store in one transaction.
struct StoreBatch: Sendable {
    /// A value that waits to be written. `make` makes it on the writing thread, so that no other thread waits for its
    /// encoding.
    struct Pending: Sendable {
        let key: StoreKey
        /// The bytes that the value is expected to take.
        let byteCount: Int
        let make: @Sendable () -> StoredValue?
    }

    var pending: [Pending] = []
    /// Values that have been read for the first time since they were written.
    var used = UsedRows()
    /// Entries of the index whose values were found to be damaged.
    var damaged: [(key: StoreKey, entry: StoreIndex.Entry)] = []

    /// What has been read of each segment.
    var reads: [Int64: SegmentReads] = [:]

    /// Whether there is nothing to write, except for reads, which can wait for something else, or until there are many.
    var isEmpty: Bool { pending.isEmpty && used.count == 0 && damaged.isEmpty }

    /// Whether the index is to know of all values afterwards. If it need not, their bytes are written where there is room, and
    /// the index learns of them with a later batch.
    var isDue = false
    /// Whether the index is to know afterwards of everything that has been read, because somebody waits for that.
    var isFinal = false
}
