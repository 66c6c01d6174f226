import ThumbwheelCaching

extension ReferenceCache {
    /// What `LRUCache.evict` does in the segment of loose entries.
    mutating func evict(
        _ byteCount: Int, passingOverAtMost limit: Int, sparingAtMost sparingLimit: Int, round: Int,
        of roundCount: Int, sparing owner: Int, where canGo: (Int) -> Bool
    ) -> [Entry] {
        var evicted: [Entry] = []
        var passedOver: [Entry] = []
        var spared: [Entry] = []
        var rest: [Entry] = []
        var lacking = byteCount
        // From the coldest to the hottest.
        for entry in entries(of: .loose).reversed() {
            if lacking <= 0 || passedOver.count > limit || spared.count >= sparingLimit {
                rest.append(entry)
            } else if entry.wasUsed, !canGo(entry.value) {
                passedOver.append(entry)
            } else if entry.owner == owner, entry.wasUsed, entry.idleSince.map({ round - $0 < roundCount }) ?? true {
                var entry = entry
                entry.idleSince = entry.idleSince ?? round
                spared.append(entry)
            } else {
                lacking -= entry.byteCount
                evicted.append(entry)
            }
        }
        var staying: [Entry] = []
        while lacking > 0, !spared.isEmpty {
            staying.append(spared.removeFirst())
            lacking -= staying.last!.byteCount
        }
        replace((staying + rest + passedOver + spared).reversed(), in: .loose)
        return evicted
    }
}
