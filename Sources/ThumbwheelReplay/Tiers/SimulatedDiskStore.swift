import ThumbwheelCaching

/// A store on disk that exists only as numbers. It evicts by the rules of `DiskStore`: values are appended to segments, and
/// of the segment that was read before all others only the values are written again that are worth keeping.
struct SimulatedDiskStore<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        var segment: Int
        let byteCount: Int
        var cost: UInt32
        var isUsed = false
    }

    private struct Segment {
        let number: Int
        var keys: [Key] = []
        var byteCount = 0
        /// The bytes that have been read since the segment last counted as read.
        var readByteCount = 0
        /// The turn in which the segment was last written to, or counted as read.
        var turn = 0
    }

    let byteLimit: Int
    private var entries: [Key: Entry] = [:]
    /// The segments, the oldest first.
    private var segments: [Segment] = []
    private var nextNumber = 0
    private var lastTurn = 0
    private var segmentsByteCount = 0
    private(set) var evictionCount = 0

    /// The bytes that an entry takes in the index of a store, as `thumbwheel bench store` finds them.
    private static var indexByteCount: Int { 48 }

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// The bytes that a value of `byteCount` bytes takes, with its record and its entry in the index.
    static func room(forBytes byteCount: Int) -> Int { byteCount + StoreRules.recordByteCount + indexByteCount }

    /// The bytes that the values and the index take.
    var byteCount: Int { segmentsByteCount + entries.count * Self.indexByteCount }

    /// Looks a value up, and notes that it has been read.
    mutating func contains(_ key: Key) -> Bool {
        guard let index = entries.index(forKey: key) else { return false }
        entries.values[index].isUsed = true
        noteRead(entries.values[index])
        return true
    }

    private mutating func noteRead(_ entry: Entry) {
        // Reads are mostly of new values.
        guard let place = segments.lastIndex(where: { $0.number == entry.segment }) else { return }
        segments[place].readByteCount += entry.byteCount + StoreRules.recordByteCount
        guard StoreRules.countsAsRead(segments[place].readByteCount, ofSegmentWith: segments[place].byteCount) else {
            return
        }
        segments[place].readByteCount = 0
        touch(place)
    }

    private mutating func touch(_ place: Int) {
        lastTurn += 1
        segments[place].turn = lastTurn
    }

    /// Whether the store has a value; nothing is noted.
    func peek(_ key: Key) -> Bool { entries[key] != nil }

    /// Writes a value, unless the store has it.
    ///
    /// - Parameter cost: the microseconds that making the value took.
    mutating func put(_ key: Key, byteCount: Int, cost: UInt32) {
        var queue = [(key: key, byteCount: byteCount, cost: cost)]
        var keptByteCount = 0
        while let next = queue.popLast() {
            let room = next.byteCount + StoreRules.recordByteCount
            guard room <= StoreRules.valueByteLimit(byteLimit: byteLimit), entries[next.key] == nil else { continue }
            while self.byteCount + room + Self.indexByteCount > byteLimit, !segments.isEmpty {
                let kept = removeColdestSegment(
                    keepingAtMost: max(0, StoreRules.keptByteLimit(byteLimit: byteLimit) - keptByteCount))
                for value in kept {
                    keptByteCount += value.byteCount + StoreRules.recordByteCount
                    queue.append(value)
                }
            }
            append(next.key, byteCount: next.byteCount, cost: next.cost)
        }
    }

    private mutating func append(_ key: Key, byteCount: Int, cost: UInt32) {
        let room = byteCount + StoreRules.recordByteCount
        let isFull =
            segments.isEmpty
            || segments[segments.count - 1].byteCount + room > StoreRules.segmentByteCount(byteLimit: byteLimit)
        if isFull {
            segments.append(Segment(number: nextNumber))
            nextNumber += 1
        }
        let last = segments.count - 1
        segments[last].keys.append(key)
        segments[last].byteCount += room
        touch(last)
        segmentsByteCount += room
        entries[key] = Entry(segment: segments[last].number, byteCount: byteCount, cost: cost)
    }

    /// Removes the segment that was read before all others.
    ///
    /// - Returns: the values to write again.
    private mutating func removeColdestSegment(
        keepingAtMost byteLimit: Int
    ) -> [(key: Key, byteCount: Int, cost: UInt32)] {
        guard let place = segments.indices.min(by: { segments[$0].turn < segments[$1].turn }) else { return [] }
        let coldest = segments.remove(at: place)
        segmentsByteCount -= coldest.byteCount
        var kept: [(key: Key, byteCount: Int, cost: UInt32)] = []
        var room = byteLimit
        let live = coldest.keys.compactMap { key -> (key: Key, entry: Entry)? in
            guard let entry = entries[key], entry.segment == coldest.number else { return nil }
            return (key, entry)
        }
        let keepsUsed = StoreRules.keepsUsed(live.count { $0.entry.isUsed }, of: live.count)
        for (key, entry) in live {
            entries[key] = nil
            let taken = entry.byteCount + StoreRules.recordByteCount
            let isKept =
                taken <= room
                && (keepsUsed && entry.isUsed || StoreRules.isExpensive(cost: entry.cost, byteCount: entry.byteCount))
            if isKept {
                kept.append((key, entry.byteCount, StoreRules.aged(entry.cost)))
                room -= taken
            } else {
                evictionCount += 1
            }
        }
        return kept
    }
}
