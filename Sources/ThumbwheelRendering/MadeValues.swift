import ThumbwheelLocks

/// Values that were made from keys lately. Where there are as many as it may keep, the least recently used goes.
final class MadeValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var values: [Key: (value: Value, lastUse: UInt64)] = [:]
        var uses: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The value for `key`, made outside the lock where there is none yet.
    ///
    /// - Parameter isKept: Whether a value that was made is worth its memory.
    /// - Complexity: Constant, plus what `make` takes; linear in the capacity where a value has to go.
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
        // Released outside the lock.
        _ = dropped
        return made
    }
}
