/// What a Redis server has of a store, and how it is set up.
public struct RedisStoreContents: Sendable, Equatable {
    /// The number of values.
    public var entryCount = 0
    /// The bytes of all values, without Redis's own.
    public var valueByteCount = 0
    /// The number of values that say that something cannot be made.
    public var negativeCount = 0
    /// The number of values that a check has found damaged, and removed.
    public var damagedCount = 0
    /// The bytes of memory that the server takes, with everything that others keep on it.
    public var usedByteCount = 0
    /// The bytes of memory that the server may take; 0 if it has no limit.
    public var byteLimit = 0
    /// What the server gives up when its memory is full, for example `allkeys-lru`; empty if it does not tell.
    public var evictionPolicy = ""

    /// Whether the server gives up old values when its memory is full, as a store needs it. Without a limit, memory grows
    /// without end; with another policy, a full server refuses new values.
    public var isBounded: Bool { byteLimit > 0 && evictionPolicy.hasPrefix("allkeys-") }

    init() {}
}
