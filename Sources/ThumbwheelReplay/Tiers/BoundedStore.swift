import ThumbwheelCaching

/// A store that exists only as numbers, and that evicts what was used least recently.
struct BoundedStore<Key: Hashable & Sendable>: Sendable {
    let byteLimit: Int
    private var values = LRUCache<Key, Bool>()
    private(set) var evictionCount = 0

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    var byteCount: Int { values.byteCount }

    /// Looks a value up. A value that is found counts as just used.
    mutating func contains(_ key: Key) -> Bool { values.value(forKey: key) != nil }

    /// Adds a value, unless the store has it.
    mutating func put(_ key: Key, byteCount: Int) {
        guard !values.contains(key), byteCount <= byteLimit else { return }
        _ = values.insert(true, forKey: key, byteCount: byteCount, into: .loose, at: .hot, isUsed: true)
        while values.byteCount > byteLimit, values.evictColdest(of: .loose) != nil { evictionCount += 1 }
    }
}
