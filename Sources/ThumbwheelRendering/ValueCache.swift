import ThumbwheelLocks

/// A cache of values that can be made again from their keys. When the cache is full, the least recently used value is
/// removed.
final class ValueCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var values: [Key: (value: Value, lastUse: UInt64)] = [:]
        var uses: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The value for `key`. If the cache has none, `make` makes it, outside the lock.
    ///
    /// - Parameter isKept: Returns whether a newly made value is worth the memory that it takes in the cache.
    /// - Complexity: Constant, plus the time of `make`; linear in the capacity if a value has to be removed.
    func value(for key: Key, isKept: (Value) -> Bool = { _ in true }, make: () -> Value) -> Value {
        let known = state.withLock { state -> Value? in
            state.uses += 1
            guard let value = state.values[key]?.value else { return nil }
            state.values[key]?.lastUse = state.uses
            return value
        }
        if let known { return known }
        let made = make()
        guard isKept(made) else { return made }
        let dropped = state.withLock { state -> Value? in
            var dropped: Value?
            if state.values[key] == nil, state.values.count >= capacity,
                let oldest = state.values.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                dropped = state.values.removeValue(forKey: oldest.key)?.value
            }
            state.values[key] = (made, state.uses)
            return dropped
        }
        // The removed value is released here, outside the lock.
        _ = dropped
        return made
    }
}
