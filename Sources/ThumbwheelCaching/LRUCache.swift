/// A cache in true least-recently-used order that counts the bytes of its values.
///
/// Each entry is in one of two segments, each with an order of its own: *held* for entries that a caller has said it
/// wants, and *loose* for all others. The cache never evicts by itself. Its owner removes the coldest (least recently
/// used) entry of a segment until enough bytes are free, and decides when the removed values are destroyed.
///
/// The cache is a plain value. Look-up, insertion, removal and eviction take constant time.
///
/// The type is public, although no product exports it, because Swift does not specialise functions of `package` access
/// in other modules. With `package` access, a cached request would take one and a half times as many instructions.
public struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    public enum Segment: Int, Sendable {
        case loose, held
    }

    /// The end of a segment's order at which an entry is inserted.
    public enum Position: Sendable {
        /// The hot end, whose entries are evicted last.
        case hot
        /// The cold end, whose entries are evicted first. It is for values that no caller has asked for yet, such as
        /// images that were made ahead of need.
        case cold
    }

    /// An entry that has left the cache.
    public struct Removed: Sendable {
        public let key: Key
        public let value: Value
        public let byteCount: Int
        /// Whether any caller has ever asked for the entry.
        public let wasUsed: Bool
        /// For whom the entry was made, as `insert` was told.
        public let owner: Int

        @inlinable init(key: Key, value: Value, byteCount: Int, wasUsed: Bool, owner: Int) {
            self.key = key
            self.value = value
            self.byteCount = byteCount
            self.wasUsed = wasUsed
            self.owner = owner
        }
    }

    /// The parts of an entry that a hit reads and writes. They are stored apart from the key and the value, so that a
    /// hit copies neither. All of them together take two words.
    @usableFromInline struct Mark: Sendable {
        @usableFromInline var byteCount: Int
        @usableFromInline var segment: Segment
        /// 0 if the entry has been used since evictions last spared it. Otherwise the round of evictions that spared it
        /// first since its last use, or `neverUsed`. One number says both, so that a hit checks and resets only one.
        @usableFromInline var idleSince: UInt16
        @usableFromInline var owner: Int32

        @inlinable static var neverUsed: UInt16 { .max }

        @inlinable init(byteCount: Int, segment: Segment, wasUsed: Bool, owner: Int) {
            self.byteCount = byteCount
            self.segment = segment
            idleSince = wasUsed ? 0 : Self.neverUsed
            self.owner = Int32(truncatingIfNeeded: owner)
        }

        @inlinable var wasUsed: Bool { idleSince != Self.neverUsed }
    }

    @usableFromInline var slots: [Key: Int] = [:]
    // The parts of the entries, indexed by slot. In a free slot the value is nil, and the key and the mark of the last
    // entry remain.
    @usableFromInline var keys: [Key] = []
    @usableFromInline var values: [Value?] = []
    @usableFromInline var marks: [Mark] = []
    @usableFromInline var freeSlots: [Int] = []
    @usableFromInline var order = LinkedSlots(listCount: 2)
    @usableFromInline var byteCounts = [0, 0]

    @inlinable public init() {}

    @inlinable public var count: Int { slots.count }

    /// Bytes of all entries.
    @inlinable public var byteCount: Int { byteCounts[0] + byteCounts[1] }

    /// Bytes of one segment's entries.
    @inlinable public func byteCount(of segment: Segment) -> Int { byteCounts[segment.rawValue] }

    /// The value of `key`; nil on a miss. A hit makes the entry the hottest of its segment and counts it as used.
    @inlinable public mutating func value(forKey key: Key) -> Value? {
        guard let slot = slots[key] else { return nil }
        if marks[slot].idleSince != 0 { marks[slot].idleSince = 0 }
        order.moveToFront(slot, of: marks[slot].segment.rawValue)
        return values[slot]
    }

    /// The value of `key`; nil if there is none. The entry keeps its place in the order.
    @inlinable public func peek(_ key: Key) -> Value? {
        guard let slot = slots[key] else { return nil }
        return values[slot]
    }

    @inlinable public func contains(_ key: Key) -> Bool { slots[key] != nil }

    /// For whom the entry of `key` was made; 0 if for nobody, or if there is no entry.
    @inlinable public func owner(of key: Key) -> Int { slots[key].map { Int(marks[$0].owner) } ?? 0 }

    /// Adds an entry, and removes the entry that `key` may have had before.
    ///
    /// - Parameters:
    ///   - isUsed: whether the entry counts as used from the start, because a caller already waits for the value.
    ///   - owner: for whom the entry is made: a number that fits into 32 bits, or 0 for nobody. Only the
    ///     evictions that spare owners look at it.
    /// - Returns: the replaced entry; nil if there was none.
    @inlinable public mutating func insert(
        _ value: Value, forKey key: Key, byteCount: Int, into segment: Segment, at position: Position,
        isUsed: Bool = false, owner: Int = 0
    ) -> Removed? {
        let replaced = remove(key)
        let mark = Mark(byteCount: byteCount, segment: segment, wasUsed: isUsed, owner: owner)
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
            keys[slot] = key
            values[slot] = value
            marks[slot] = mark
        } else {
            slot = keys.count
            keys.append(key)
            values.append(value)
            marks.append(mark)
            order.addSlot()
        }
        slots[key] = slot
        byteCounts[segment.rawValue] += byteCount
        link(slot, into: segment, at: position)
        return replaced
    }

    @inlinable public mutating func remove(_ key: Key) -> Removed? {
        guard let slot = slots.removeValue(forKey: key) else { return nil }
        return vacate(slot)
    }

    /// Removes the least recently used entry of `segment`; returns nil if the segment is empty.
    @inlinable public mutating func evictColdest(of segment: Segment) -> Removed? {
        guard let slot = order.last(of: segment.rawValue) else { return nil }
        slots.removeValue(forKey: keys[slot])
        return vacate(slot)
    }

    /// Reorders `segment` so that the entries at its cold end can all be evicted. An entry whose eviction would free no
    /// memory is in use. It counts as just used, and moves to the hot end.
    ///
    /// - Parameters:
    ///   - byteCount: the number of bytes that should be evicted.
    ///   - limit: the number of entries that may move to the hot end, so that a call takes bounded time.
    ///   - canGo: returns whether evicting a value would free its memory. It is not called for an entry that was never
    ///     used, because evicting such an entry always frees its memory.
    /// - Returns: the bytes of the coldest entries that can all be evicted: `byteCount` or a little more, or fewer if
    ///   there are not enough such entries.
    @inlinable public mutating func prepareToEvict(
        _ byteCount: Int, of segment: Segment, passingOverAtMost limit: Int, where canGo: (Value) -> Bool
    ) -> Int {
        let list = segment.rawValue
        var evictable = 0
        var passedOver = 0
        var last: Int?
        var next = order.last(of: list)
        while let slot = next, slot != last, evictable < byteCount, passedOver <= limit {
            next = order.slot(before: slot, of: list)
            if !marks[slot].wasUsed || canGo(values[slot]!) {
                evictable += marks[slot].byteCount
            } else {
                // The search ends at the first entry that was moved to the hot end, because all entries from there on
                // have been examined.
                last = last ?? slot
                passedOver += 1
                order.moveToFront(slot, of: list)
            }
        }
        return evictable
    }

    /// Removes the coldest entry of `segment` if that entry was never used. Returns nil if it was used, or if the
    /// segment is empty.
    ///
    /// Entries that were never used are colder than all used ones, as long as callers insert them at the cold end.
    @inlinable public mutating func evictColdestUnused(of segment: Segment) -> Removed? {
        guard let slot = order.last(of: segment.rawValue), !marks[slot].wasUsed else { return nil }
        return evictColdest(of: segment)
    }

    /// The key of the coldest entry of `segment` for which `isWanted` is true. Only the `count` coldest entries are
    /// looked at.
    @inlinable public func coldest(
        of segment: Segment, among count: Int, where isWanted: (Key, Value, _ wasUsed: Bool) -> Bool
    ) -> Key? {
        var slot = order.last(of: segment.rawValue)
        for _ in 0..<count {
            guard let current = slot else { return nil }
            if isWanted(keys[current], values[current]!, marks[current].wasUsed) { return keys[current] }
            slot = order.slot(before: current, of: segment.rawValue)
        }
        return nil
    }

    /// Moves an entry to the hot end of another segment. An entry that becomes loose without ever having been used goes
    /// to the cold end instead. Does nothing for an unknown key.
    @inlinable public mutating func move(_ key: Key, to segment: Segment) {
        guard let slot = slots[key], marks[slot].segment != segment else { return }
        let mark = marks[slot]
        order.unlink(slot)
        byteCounts[mark.segment.rawValue] -= mark.byteCount
        byteCounts[segment.rawValue] += mark.byteCount
        marks[slot].segment = segment
        link(slot, into: segment, at: segment == .loose && !mark.wasUsed ? .cold : .hot)
    }

    /// The keys of a segment, from the hottest to the coldest, for tests and reports.
    public func keys(of segment: Segment) -> [Key] {
        order.slots(of: segment.rawValue).map { keys[$0] }
    }

    @inlinable mutating func link(_ slot: Int, into segment: Segment, at position: Position) {
        switch position {
        case .hot: order.linkFirst(slot, into: segment.rawValue)
        case .cold: order.linkLast(slot, into: segment.rawValue)
        }
    }

    /// - Precondition: an entry is in the slot.
    @inlinable mutating func vacate(_ slot: Int) -> Removed {
        let mark = marks[slot]
        order.unlink(slot)
        byteCounts[mark.segment.rawValue] -= mark.byteCount
        freeSlots.append(slot)
        let removed = Removed(
            key: keys[slot], value: values[slot]!, byteCount: mark.byteCount, wasUsed: mark.wasUsed,
            owner: Int(mark.owner))
        values[slot] = nil
        return removed
    }
}
