import ThumbwheelCaching

/// A store on disk that exists only as numbers. It evicts by the rules of `DiskStore`: values are appended to segments,
/// and of the oldest segment only the values are written again that are worth keeping.
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
    }

    let byteLimit: Int
    private var entries: [Key: Entry] = [:]
    /// The segments from `first` on, the oldest first. Those before it have been removed.
    private var segments: [Segment] = []
    private var first = 0
    private var nextNumber = 0
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
        return true
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
            while self.byteCount + room + Self.indexByteCount > byteLimit, first < segments.count {
                let kept = removeOldestSegment(
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
            first == segments.count
            || segments[segments.count - 1].byteCount + room > StoreRules.segmentByteCount(byteLimit: byteLimit)
        if isFull {
            segments.append(Segment(number: nextNumber))
            nextNumber += 1
        }
        let last = segments.count - 1
        segments[last].keys.append(key)
        segments[last].byteCount += room
        segmentsByteCount += room
        entries[key] = Entry(segment: segments[last].number, byteCount: byteCount, cost: cost)
    }

    /// Removes the oldest segment.
    ///
    /// - Returns: the values to write again.
    private mutating func removeOldestSegment(
        keepingAtMost byteLimit: Int
    ) -> [(key: Key, byteCount: Int, cost: UInt32)] {
        let oldest = segments[first]
        segments[first].keys = []
        first += 1
        if first > 1_024 {
            segments.removeFirst(first)
            first = 0
        }
        segmentsByteCount -= oldest.byteCount
        var kept: [(key: Key, byteCount: Int, cost: UInt32)] = []
        var room = byteLimit
        for key in oldest.keys {
            guard let entry = entries[key], entry.segment == oldest.number else { continue }
            entries[key] = nil
            let taken = entry.byteCount + StoreRules.recordByteCount
            let isKept =
                taken <= room
                && StoreRules.isWorthKeeping(isUsed: entry.isUsed, cost: entry.cost, byteCount: entry.byteCount)
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
