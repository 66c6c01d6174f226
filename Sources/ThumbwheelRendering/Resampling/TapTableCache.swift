import ThumbwheelCore

/// Tap tables made lately: a scroll asks for the same few sizes again and again, four tables for each shape of picture, and a
/// table costs some 5000 sines.
final class TapTableCache: Sendable {
    static let shared = TapTableCache(capacity: 128)

    private struct State {
        var tables: [TapTable.Key: (table: TapTable, lastUse: UInt64)] = [:]
        var uses: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The table for `key`, made outside the lock where there is none yet.
    func table(for key: TapTable.Key) -> TapTable {
        let known = state.withLock { state -> TapTable? in
            state.uses += 1
            guard let table = state.tables[key]?.table else { return nil }
            state.tables[key]?.lastUse = state.uses
            return table
        }
        if let known { return known }
        let made = TapTable(key)
        // Tables of huge images are not worth their memory.
        guard made.fixedWeights.count <= 1 << 16 else { return made }
        let dropped = state.withLock { state -> TapTable? in
            var dropped: TapTable?
            if state.tables.count >= capacity,
                let oldest = state.tables.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                dropped = state.tables.removeValue(forKey: oldest.key)?.table
            }
            state.tables[key] = (made, state.uses)
            return dropped
        }
        // Released outside the lock.
        _ = dropped
        return made
    }
}
