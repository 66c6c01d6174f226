/// What a store on disk has done in this process, and whether it works.
public struct StoreStatistics: Sendable, Equatable {
    /// Look-ups that brought a value.
    public var hits = 0
    /// Look-ups that brought none.
    public var misses = 0
    /// Values that this process has written.
    public var writes = 0
    /// Values that were not written, because too many waited to be written or because the store failed.
    public var drops = 0
    /// Values that were given up to keep the bound.
    public var evictions = 0
    /// Values whose bytes were not the ones that had been written.
    public var damaged = 0
    /// The bytes that wait to be written.
    public var queuedByteCount = 0
    /// The bytes that all segments and the index took when this process last wrote.
    public var byteCount = 0
    /// Why the store is not used at the moment; nil if it works.
    public var failure: StoreError?

    /// Makes statistics in which nothing has happened.
    public init() {}
}
