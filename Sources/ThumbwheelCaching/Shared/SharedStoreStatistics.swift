/// Counts of a shared store in this process, and the reason why it is not used, if so.
public struct SharedStoreStatistics: Sendable, Equatable {
    /// Look-ups that found the value.
    public var hits = 0
    /// Look-ups that found no value.
    public var misses = 0
    /// The bytes of the values that were found.
    public var hitByteCount = 0
    /// The time, in milliseconds, that making the found values had taken, and that the hits have saved.
    public var savedMilliseconds = 0.0
    /// Look-ups that were not answered, because the store was not used or did not answer in time.
    public var unanswered = 0
    /// Values that this process has written.
    public var writes = 0
    /// The bytes of the values that this process has written.
    public var writtenByteCount = 0
    /// Values that were not written, because they are too large, because too many were on their way, or because the
    /// store was not used.
    public var drops = 0
    /// Values that were found to be damaged, or to belong to another key.
    public var damaged = 0
    /// Claims that this process has won: it was to make the value.
    public var claimsWon = 0
    /// Claims that ended because another process had made the value.
    public var claimsAwaited = 0
    /// How often the store was found to have failed, and was left alone for a while.
    public var failures = 0
    /// Why the store is not used at the moment; nil if it works.
    public var failure: String?

    /// Makes statistics of a store that has done nothing yet.
    public init() {}
}
