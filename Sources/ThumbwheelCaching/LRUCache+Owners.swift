// Evictions that look at whom entries were made for. Only caches that several owners share call them.

extension LRUCache {
    /// How long an entry is spared without being used.
    public struct Patience: Sendable {
        /// The number of the present round of evictions, from 1 on. A round has as many bytes as the cache. The caller
        /// counts, and begins with 1 again after `lastRound`.
        @usableFromInline let round: UInt16
        /// The number of rounds.
        @usableFromInline let roundCount: UInt16

        @inlinable public init(round: UInt16, roundCount: UInt16) {
            self.round = round
            self.roundCount = roundCount
        }

        @inlinable public static var lastRound: UInt16 { Mark.neverUsed - 1 }

        /// Whether an entry may be spared once more.
        @inlinable func isLeft(for mark: Mark) -> Bool {
            mark.wasUsed && (mark.idleSince == 0 || round &- mark.idleSince < roundCount)
        }
    }

    /// Evicts the least recently used entries of `segment`, but spares those of some owners.
    ///
    /// - Entries that are in use move to the hot end, as in `prepareToEvict`.
    /// - A spared entry moves to the hot end as well, if enough others could be evicted. If not, so many of the spared
    ///   entries as are needed stay at the cold end, the coldest ones, and all of these can be evicted next.
    ///   So whatever `prepareToEvict` has found before is still there, or has been evicted.
    /// - Never spared are entries of nobody, those that were never used, and those for which `patience` has run out: an
    ///   owner that has gone away does not keep its memory for ever.
    ///
    /// - Parameters:
    ///   - byteCount: the number of bytes to evict.
    ///   - limit: the number of entries in use that may be passed over.
    ///   - sparingLimit: the number of entries that may be spared. Both limits bound the time that a call takes.
    ///   - isSpared: returns whether to spare an entry, by its owner and its bytes. If it returns false, the entry is
    ///     evicted.
    ///   - canGo: returns whether evicting a value would free its memory, as in `prepareToEvict`.
    /// - Returns: the evicted entries. They have fewer than `byteCount` bytes if too few could be evicted.
    @inlinable public mutating func evict(
        _ byteCount: Int, of segment: Segment, passingOverAtMost limit: Int, sparingAtMost sparingLimit: Int,
        _ patience: Patience, sparing isSpared: (_ owner: Int, _ byteCount: Int) -> Bool, where canGo: (Value) -> Bool
    ) -> [Removed] {
        let list = segment.rawValue
        var removed: [Removed] = []
        var spared: [Int] = []
        var lacking = byteCount
        var passedOver = 0
        var last: Int?
        var next = order.last(of: list)
        while lacking > 0, let slot = next, slot != last, passedOver <= limit, spared.count < sparingLimit {
            next = order.slot(before: slot, of: list)
            let mark = marks[slot]
            if mark.wasUsed, !canGo(values[slot]!) {
                // The search ends at the first entry that was moved to the hot end, as in `prepareToEvict`.
                last = last ?? slot
                passedOver += 1
                order.moveToFront(slot, of: list)
            } else if mark.owner != 0, patience.isLeft(for: mark), isSpared(Int(mark.owner), mark.byteCount) {
                spared.append(slot)
            } else {
                lacking -= mark.byteCount
                slots.removeValue(forKey: keys[slot])
                removed.append(vacate(slot))
            }
        }
        spare(spared, of: list, lacking: lacking, patience)
        return removed
    }

    /// Moves spared entries to the hot end, in their order.
    ///
    /// - Parameter lacking: the bytes that are still to be evicted. The coldest entries of so many bytes stay.
    @inlinable mutating func spare(_ spared: [Int], of list: Int, lacking: Int, _ patience: Patience) {
        var lacking = lacking
        for slot in spared {
            if marks[slot].idleSince == 0 { marks[slot].idleSince = patience.round }
            guard lacking <= 0 else {
                lacking -= marks[slot].byteCount
                continue
            }
            order.moveToFront(slot, of: list)
        }
    }
}
