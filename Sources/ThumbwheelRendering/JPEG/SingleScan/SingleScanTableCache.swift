import ThumbwheelCore

/// Huffman tables made lately, by the contents of their definition: cameras use the same few for all their files.
final class SingleScanTableCache: Sendable {
    static let shared = SingleScanTableCache(capacity: 32)

    private struct Key: Hashable {
        let definition: [UInt8]
        let isAC: Bool
    }

    private struct State {
        var tables: [Key: (table: SingleScanTable, lastUse: UInt64)] = [:]
        var uses: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The tables for a code, made outside the lock where there are none yet.
    func table(for code: HuffmanCode, isAC: Bool) -> SingleScanTable {
        let key = Key(definition: code.definition, isAC: isAC)
        let known = state.withLock { state -> SingleScanTable? in
            state.uses += 1
            state.tables[key]?.lastUse = state.uses
            return state.tables[key]?.table
        }
        if let known { return known }
        let made = SingleScanTable(code, isAC: isAC)
        let dropped = state.withLock { state -> SingleScanTable? in
            var dropped: SingleScanTable?
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
