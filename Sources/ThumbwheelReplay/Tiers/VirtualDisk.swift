import Thumbwheel
import ThumbwheelPipeline

/// The store on the disk of a simulated server, and beside it a store of the same bytes that evicts what was used least
/// recently.
struct VirtualDisk {
    private var store: SimulatedDiskStore<RenditionKey>
    private var peer: BoundedStore<RenditionKey>
    private var counts = ReplayTierCounts.Tier()

    init(byteLimit: Int) {
        store = SimulatedDiskStore(byteLimit: byteLimit)
        peer = BoundedStore(byteLimit: byteLimit)
        counts.leastRecentlyUsedHits = 0
    }

    /// The counts up to now, with the sizes at this moment.
    var presentCounts: ReplayTierCounts.Tier {
        var counts = counts
        counts.evictions = store.evictionCount
        counts.byteCount = store.byteCount
        counts.byteLimit = store.byteLimit
        return counts
    }

    /// Looks a rendition up, in the peer as well.
    ///
    /// - Parameter byteCount: the bytes of the rendition. Where only the store has it, the peer has to get it as well: with
    ///   the peer alone it would have been rendered and written now.
    mutating func lookUp(_ key: RenditionKey, byteCount: Int) -> Bool {
        counts.lookups += 1
        let isFound = store.contains(key)
        if isFound { counts.hits += 1 }
        if peer.contains(key) {
            counts.leastRecentlyUsedHits? += 1
        } else if isFound {
            peer.put(key, byteCount: SimulatedDiskStore<RenditionKey>.room(forBytes: byteCount))
        }
        return isFound
    }

    /// Writes a rendition.
    ///
    /// - Parameter cost: the microseconds that making it took.
    mutating func put(_ key: RenditionKey, byteCount: Int, cost: UInt32) {
        counts.writes += 1
        fill(key, byteCount: byteCount, cost: cost)
    }

    /// Writes a rendition that the store has from the start.
    mutating func fill(_ key: RenditionKey, byteCount: Int, cost: UInt32 = 0) {
        store.put(key, byteCount: byteCount, cost: cost)
        peer.put(key, byteCount: SimulatedDiskStore<RenditionKey>.room(forBytes: byteCount))
    }
}
