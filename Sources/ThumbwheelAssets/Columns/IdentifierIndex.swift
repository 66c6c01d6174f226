/// A hash table that returns the row of an identifier. It takes about eleven bytes for each asset.
///
/// This is a linear hash table (W. Litwin, 1980), divided into small open-addressed tables, the shards. It grows by
/// splitting one shard at a time, so that no transaction has to rebuild the whole table. The table is a value. Two
/// copies of it share a shard until a transaction changes the shard in one of them.
struct IdentifierIndex: Sendable {
    private struct Shard: Sendable {
        /// The slots of the shard. A slot contains a row number, or one of the values `free` and `removed`. Beside a
        /// row number there may be a tag, which is eight bits of the identifier's hash.
        var slots: [UInt32]
        private(set) var mask: UInt32
        var used: UInt32 = 0
        var count: UInt32 = 0
        /// The mask of the bits of a slot that contain the row number. The bits outside the mask contain a tag: eight
        /// bits of the identifier's hash.
        ///
        /// A search compares tags first, and reads the identifiers of only those rows whose tag equals the tag of the
        /// wanted identifier. In a large library, reading one identifier takes about three cache misses.
        ///
        /// A shard with a row number beyond sixteen million has no tags, because that number needs all bits.
        private(set) var rowNumberMask: UInt32 = 0x00FF_FFFF

        init(capacity: Int = 16) {
            slots = [UInt32](repeating: IdentifierIndex.free, count: capacity)
            mask = UInt32(capacity - 1)
        }

        /// The position at which a search for a hash begins.
        func start(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 40) & Int(mask) }

        /// Returns the content of a slot for a row: the row number, together with the tag of the hash.
        func slot(of row: UInt32, _ hash: UInt64) -> UInt32 { row | tag(of: hash) }

        func tag(of hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 8) & ~rowNumberMask }

        /// The row numbers in the shard, in the order of its slots.
        var rows: [UInt32] { slots.filter { $0 < IdentifierIndex.removed }.map { $0 & rowNumberMask } }

        /// Removes the tags from all slots of the shard if the row number is too large to stand beside a tag. A tag is
        /// eight bits of an identifier's hash. It is in the upper bits of a slot, and the row number in the lower bits.
        mutating func makeRoom(for row: UInt32) {
            // Ends here if the row number fits beside a tag, or if the tags have been removed already. The two largest
            // numbers that `rowNumberMask` has room for are too large: if all bits of the tag were set, the slots would
            // equal `removed` and `free`.
            guard row >= rowNumberMask - 1, rowNumberMask < .max else { return }
            for position in slots.indices where slots[position] < IdentifierIndex.removed {
                slots[position] &= rowNumberMask
            }
            rowNumberMask = .max
        }

        /// Makes a shard that contains some entries and has room for at least one more.
        init(_ entries: ArraySlice<Entry>) {
            var capacity = 16
            while capacity <= entries.count * 2 { capacity *= 2 }
            self.init(capacity: capacity)
            for entry in entries { IdentifierIndex.place(entry.row, entry.hash, in: &self) }
        }
    }

    private static let free = UInt32.max
    private static let removed = UInt32.max - 1
    private static let meanEntriesPerShard = 256

    /// Whether half of the shard's slots are used. Slots of removed rows count as used. In a fuller shard, searches
    /// would be slow: they would pass more slots, and so read more identifiers, which are far apart in memory.
    private static func isFull(_ shard: Shard) -> Bool { shard.used * 2 > shard.mask }

    private var shards = [Shard()]
    private(set) var count = 0

    init() {}

    /// Makes the index of all assets in some chunks, without deleted assets. Lookups give the same results as in an
    /// index to which the assets were added one by one. Several threads make the index, in time linear in the number of
    /// assets.
    init(of chunks: ChunkList) {
        let hashes = ConcurrentParts.map(0..<chunks.count, partSize: 64) { Self.hashes(of: chunks, $0) }
        count = hashes.reduce(0) { $0 + $1.count }
        let shardCount = max(1, (count + Self.meanEntriesPerShard - 1) / Self.meanEntriesPerShard)
        var ends = [Int](repeating: 0, count: shardCount + 1)
        for part in hashes { for entry in part { ends[Self.shardIndex(entry.hash, of: shardCount) + 1] += 1 } }
        for shard in 0..<shardCount { ends[shard + 1] += ends[shard] }
        let starts = ends
        // Sorts the entries by shard, so that one shard is filled after another. A shard then stays in the processor's
        // cache while it is filled.
        var sorted = [Entry](repeating: Entry(hash: 0, row: 0), count: count)
        for part in hashes {
            for entry in part {
                let shard = Self.shardIndex(entry.hash, of: shardCount)
                sorted[ends[shard]] = entry
                ends[shard] += 1
            }
        }
        shards = ConcurrentParts.map(0..<shardCount, partSize: 256) { [sorted] part in
            part.map { Shard(sorted[starts[$0]..<starts[$0 + 1]]) }
        }.flatMap(\.self)
    }

    private struct Entry: Sendable {
        let hash: UInt64
        let row: UInt32
    }

    private static func hashes(of chunks: ChunkList, _ part: Range<Int>) -> [Entry] {
        var hashes: [Entry] = []
        hashes.reserveCapacity(part.count * Chunk.rowCount)
        for index in part {
            let identifiers = chunks[index].columns.identifiers
            chunks[index].columns.mask(.alive).forEachSlot { slot in
                hashes.append(Entry(hash: hash(identifiers[slot]), row: Chunk.row(index, slot)))
            }
        }
        return hashes
    }

    private static func hash(_ identifier: AssetIdentifier) -> UInt64 {
        // Swift's own hash is used, because it has a different seed in each process. If the seed were known, users
        // could choose identifiers with equal hashes and so make the table slow. The order of the table's entries
        // differs from process to process too, but nothing depends on this order.
        UInt64(bitPattern: Int64(identifier.hashValue))
    }

    private static func shardIndex(_ hash: UInt64, of shardCount: Int) -> Int {
        let level = Int.bitWidth - 1 - shardCount.leadingZeroBitCount
        let wide = Int(truncatingIfNeeded: hash & (1 << UInt64(level + 1) - 1))
        return wide < shardCount ? wide : wide & (1 << level - 1)
    }

    private func shardIndex(_ hash: UInt64) -> Int { Self.shardIndex(hash, of: shards.count) }

    /// Returns the row of an identifier; nil if the identifier is not in the table. `identifierOf` returns the
    /// identifier of a row. It is called only for rows in the table.
    func row(of identifier: AssetIdentifier, _ identifierOf: (UInt32) -> AssetIdentifier) -> UInt32? {
        let hash = Self.hash(identifier)
        let shard = shardIndex(hash)
        let mask = Int(shards[shard].mask)
        var position = shards[shard].start(of: hash)
        let (rowNumberMask, tag) = (shards[shard].rowNumberMask, shards[shard].tag(of: hash))
        // The positions are in the array, because of the mask. So they are not checked: a check would read the header
        // of the array, which in a large library is a cache miss.
        return shards[shard].slots.withUnsafeBufferPointer { slots in
            while true {
                let slot = slots[position]
                if slot == Self.free { return nil }
                if slot != Self.removed, slot & ~rowNumberMask == tag,
                    identifierOf(slot & rowNumberMask) == identifier
                {
                    return slot & rowNumberMask
                }
                position = (position + 1) & mask
            }
        }
    }

    /// Returns the rows of several identifiers, in the same order; nil for an identifier that is not in the table.
    ///
    /// In a large library, a search waits twice for memory: for the slot, and for the identifier of the row. Here the
    /// slots of many identifiers are read one after another, and then the identifiers of their rows. No read depends on
    /// the read before it, so the processor waits for many of them at the same time.
    func rows(of identifiers: [AssetIdentifier], _ identifierOf: (UInt32) -> AssetIdentifier) -> [UInt32?] {
        var rows: [UInt32?] = []
        rows.reserveCapacity(identifiers.count)
        for start in stride(from: 0, to: identifiers.count, by: Self.batchSize) {
            let batch = identifiers[start..<min(start + Self.batchSize, identifiers.count)]
            // Each step is a loop of its own. A step that waits for memory contains nothing else, so that the processor
            // can run many turns of its loop ahead.
            let hashes = batch.map { Self.hash($0) }
            let slots = hashes.map { firstSlot(of: $0) }
            let candidates = zip(hashes, slots).map { candidate(of: $0, $1) }
            let found = candidates.map { $0 < Self.removed ? identifierOf($0) : nil }
            for (identifier, (candidate, found)) in zip(batch, zip(candidates, found)) {
                // If the candidate is another asset with the same tag, the asset may be in a later slot.
                let isOther = found != nil && found != identifier
                rows.append(isOther ? row(of: identifier, identifierOf) : found.map { _ in candidate })
            }
        }
        return rows
    }

    /// The number of identifiers whose slots are read before the identifiers of their rows. The cache lines of a batch
    /// fit into the processor's first cache.
    private static let batchSize = 128

    /// Returns the content of the slot at which the search for a hash begins.
    private func firstSlot(of hash: UInt64) -> UInt32 {
        let shard = shardIndex(hash)
        let position = shards[shard].start(of: hash)
        return shards[shard].slots.withUnsafeBufferPointer { $0[position] }
    }

    /// Returns the first row whose tag equals the tag of the hash; `free` if there is none.
    private func candidate(of hash: UInt64, _ firstSlot: UInt32) -> UInt32 {
        let shard = shardIndex(hash)
        let mask = Int(shards[shard].mask)
        var position = shards[shard].start(of: hash)
        let (rowNumberMask, tag) = (shards[shard].rowNumberMask, shards[shard].tag(of: hash))
        return shards[shard].slots.withUnsafeBufferPointer { slots in
            var slot = firstSlot
            while slot != Self.free {
                if slot != Self.removed, slot & ~rowNumberMask == tag { return slot & rowNumberMask }
                position = (position + 1) & mask
                slot = slots[position]
            }
            return Self.free
        }
    }

    /// Inserts an identifier that is not in the table yet.
    mutating func insert(_ identifier: AssetIdentifier, row: UInt32, _ identifierOf: (UInt32) -> AssetIdentifier) {
        count += 1
        if count > shards.count * Self.meanEntriesPerShard { split(identifierOf) }
        let hash = Self.hash(identifier)
        let shard = shardIndex(hash)
        if Self.isFull(shards[shard]) { rebuild(shard, identifierOf) }
        Self.place(row, hash, in: &shards[shard])
    }

    mutating func remove(_ identifier: AssetIdentifier, row: UInt32) {
        let hash = Self.hash(identifier)
        let shard = shardIndex(hash)
        let mask = Int(shards[shard].mask)
        var position = shards[shard].start(of: hash)
        let slot = shards[shard].slot(of: row, hash)
        while shards[shard].slots[position] != slot {
            if shards[shard].slots[position] == Self.free { return }
            position = (position + 1) & mask
        }
        shards[shard].slots[position] = Self.removed
        shards[shard].count -= 1
        count -= 1
    }

    private static func place(_ row: UInt32, _ hash: UInt64, in shard: inout Shard) {
        let mask = Int(shard.mask)
        var position = shard.start(of: hash)
        while shard.slots[position] != free { position = (position + 1) & mask }
        shard.makeRoom(for: row)
        shard.slots[position] = shard.slot(of: row, hash)
        shard.used += 1
        shard.count += 1
    }

    /// Rebuilds a shard with more room and without the slots of removed rows.
    private mutating func rebuild(_ shard: Int, _ identifierOf: (UInt32) -> AssetIdentifier) {
        let rows = shards[shard].rows
        var capacity = 16
        // The capacity includes room for the row that is inserted next.
        while capacity <= rows.count * 2 { capacity *= 2 }
        var roomier = Shard(capacity: capacity)
        for row in rows { Self.place(row, Self.hash(identifierOf(row)), in: &roomier) }
        shards[shard] = roomier
    }

    private mutating func split(_ identifierOf: (UInt32) -> AssetIdentifier) {
        let level = Int.bitWidth - 1 - shards.count.leadingZeroBitCount
        let old = shards.count - 1 << level
        let rows = shards[old].rows
        shards.append(Shard())
        shards[old] = Shard()
        for row in rows {
            let hash = Self.hash(identifierOf(row))
            let target = shardIndex(hash)
            if Self.isFull(shards[target]) { rebuild(target, identifierOf) }
            Self.place(row, hash, in: &shards[target])
        }
    }
}
