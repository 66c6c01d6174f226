/// Values that are written to a store in one transaction.
struct StoreBatch: Sendable {
    /// A value that waits to be written. It is made by the thread that writes, so that nobody else waits for its encoding.
    struct Pending: Sendable {
        let key: StoreKey
        /// The bytes that the value is expected to take while it waits.
        let byteCount: Int
        let make: @Sendable () -> StoredValue?
    }

    var pending: [Pending] = []
    /// Values that have been read for the first time since they were written.
    var used: [StoreKey] = []
    /// Entries whose values turned out to be damaged.
    var damaged: [(key: StoreKey, entry: StoreIndex.Entry)] = []

    var isEmpty: Bool { pending.isEmpty && used.isEmpty && damaged.isEmpty }
}
