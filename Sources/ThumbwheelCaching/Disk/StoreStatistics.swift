/// Counts of a store on disk in this process, and the reason why values cannot be read or written, if so.
public struct StoreStatistics: Sendable, Equatable {
    /// Look-ups that found the value.
    public var hits = 0
    /// Look-ups that found no value.
    public var misses = 0
    /// The bytes of the values that were found.
    public var hitByteCount = 0
    /// The time, in milliseconds, that making the found values had taken, and that the hits have saved.
    public var savedMilliseconds = 0.0
    /// Values that this process has written.
    public var writes = 0
    /// Values that were not written, because too many waited to be written or because the store failed.
    public var drops = 0
    /// Values that were removed to stay below the byte limit.
    public var evictions = 0
    /// Values whose bytes were found to be damaged.
    public var damaged = 0
    /// The bytes that wait to be written.
    public var queuedByteCount = 0
    /// The bytes that all segments and the index took when this process last wrote.
    public var byteCount = 0
    /// Why values cannot be read or written at the moment; nil if both are possible. From a disk that is full values are still
    /// read.
    public var failure: StoreError?

    /// Makes statistics of a store that has done nothing yet.
    public init() {}
}
