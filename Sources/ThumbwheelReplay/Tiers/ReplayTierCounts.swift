/// The counts of the storage tiers of a run: all its processes together.
public struct ReplayTierCounts: Sendable, Equatable {
    /// The counts of one tier.
    public struct Tier: Sendable, Equatable {
        /// Look-ups that the tier has answered.
        public var lookups = 0
        /// Look-ups that found the image.
        public var hits = 0
        /// Look-ups that a store of the same bytes would have answered if it evicted what was used least recently; nil
        /// in runs that are not simulated, and where the tier itself evicts so.
        public var leastRecentlyUsedHits: Int?
        /// Images that were written to the tier.
        public var writes = 0
        /// Images that the tier evicted.
        public var evictions = 0
        /// The bytes that the tier took at the end; 0 if they are not known.
        public var byteCount = 0
        /// The bytes that the tier may take; 0 if they are not known.
        public var byteLimit = 0

        /// Look-ups that did not find the image.
        public var misses: Int { lookups - hits }

        static func += (left: inout Tier, right: Tier) {
            left.lookups += right.lookups
            left.hits += right.hits
            left.leastRecentlyUsedHits = right.leastRecentlyUsedHits.map { (left.leastRecentlyUsedHits ?? 0) + $0 }
            left.writes += right.writes
            left.evictions += right.evictions
            left.byteCount += right.byteCount
            left.byteLimit += right.byteLimit
        }
    }

    /// The stores on disk, one for each server; nil if there is none.
    public var store: Tier?
    /// The store that the servers share; nil if there is none.
    public var shared: Tier?
    /// Images for which a server has asked whether another is making them.
    public var claims = 0
    /// Images for which a server has waited until another had made them.
    public var awaited = 0

    init() {}
}
