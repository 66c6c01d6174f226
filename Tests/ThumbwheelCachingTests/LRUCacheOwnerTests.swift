import Testing
import ThumbwheelCaching
import ThumbwheelCore

/// Evictions that spare entries of some owners.
@Suite struct LRUCacheOwnerTests {
    private typealias Cache = LRUCache<Int, Int>

    private static func patience(_ round: Int = 1, of roundCount: UInt16 = 16) -> Cache.Patience {
        Cache.Patience(round: UInt16(round), roundCount: roundCount)
    }

    @Test(
        "random traces spare, pass over and evict as in a plain array, and lose nothing that could go",
        arguments: 0..<40)
    func randomTraces(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var cache = Cache()
        var reference = ReferenceCache()
        let keyCount = 1 + random.index(below: 40)
        var round = 1
        for step in 0..<2500 {
            let key = random.index(below: keyCount)
            switch random.index(below: 8) {
            case ..<3:
                let (bytes, owner) = (random.index(below: 1000), random.index(below: 4))
                let isUsed = random.index(below: 4) > 0
                _ = cache.insert(
                    step, forKey: key, byteCount: bytes, into: .loose, at: isUsed ? .hot : .cold, isUsed: isUsed,
                    owner: owner)
                _ = reference.insert(
                    step, forKey: key, byteCount: bytes, into: .loose, at: isUsed ? .hot : .cold, isUsed: isUsed,
                    owner: owner)
                #expect(cache.owner(of: key) == owner)
            case ..<5: #expect(cache.value(forKey: key) == reference.value(forKey: key), "seed \(seed), step \(step)")
            case 5: round += random.index(below: 2)
            default:
                let (byteCount, limits) = (random.index(below: 3000), (random.index(below: 8), random.index(below: 8)))
                let sparedOwner = 1 + random.index(below: 3)
                let canGo = { (value: Int) in !value.isMultiple(of: 3) }
                let evictable = cache.prepareToEvict(
                    byteCount, of: .loose, passingOverAtMost: limits.0, where: canGo)
                _ = reference.prepareToEvict(byteCount, of: .loose, passingOverAtMost: limits.0, where: canGo)
                let evicted = cache.evict(
                    byteCount, of: .loose, passingOverAtMost: limits.0, sparingAtMost: limits.1,
                    Self.patience(round, of: 3), sparing: { owner, _ in owner == sparedOwner }, where: canGo)
                let expected = reference.evict(
                    byteCount, passingOverAtMost: limits.0, sparingAtMost: limits.1, round: round, of: 3,
                    sparing: sparedOwner, where: canGo)
                #expect(evicted.map(\.key) == expected.map(\.key), "seed \(seed), step \(step)")
                #expect(evicted.map(\.owner) == expected.map(\.owner), "seed \(seed), step \(step)")
                // What could go before has gone or can go still, without another search.
                let rest = max(0, min(evictable, byteCount) - evicted.reduce(0) { $0 + $1.byteCount })
                var copy = cache
                #expect(
                    copy.prepareToEvict(rest, of: .loose, passingOverAtMost: 0, where: canGo) >= rest,
                    "seed \(seed), step \(step)")
            }
            #expect(cache.keys(of: .loose) == reference.keys(of: .loose), "seed \(seed), step \(step)")
            #expect(cache.byteCount == reference.byteCount(of: .loose), "seed \(seed), step \(step)")
        }
    }

    @Test("where no owner is spared, the entries go that always would")
    func nobodySpared() {
        var (cache, other) = (filled(with: [1, 1, 2, 0, 1]), filled(with: [0, 0, 0, 0, 0]))
        let evicted = cache.evict(
            25, of: .loose, passingOverAtMost: 1, sparingAtMost: 9, Self.patience(), sparing: { _, _ in false },
            where: { $0 != 1 })
        #expect(other.prepareToEvict(25, of: .loose, passingOverAtMost: 1) { $0 != 1 } == 30)
        let expected = (0..<3).map { _ in other.evictColdest(of: .loose)?.key }
        #expect(evicted.map(\.key) == expected)
        #expect(cache.keys(of: .loose) == other.keys(of: .loose))
    }

    @Test("what is spared counts as just used, and as much of it as is lacking stays to go next")
    func order() {
        var cache = filled(with: [1, 1, 2, 1, 2])
        #expect(evict(10, from: &cache, sparing: 1) == [2])
        #expect(cache.keys(of: .loose) == [1, 0, 4, 3])
        // Only 10 bytes are found; the coldest of the spared stay, for 15 more.
        #expect(evict(25, from: &cache, sparing: 1) == [4])
        #expect(cache.keys(of: .loose) == [1, 0, 3])
    }

    @Test("what is not used goes after so many rounds, and at once if it never was used or is nobody's")
    func patience() {
        var cache = filled(with: [1, 1, 2, 2, 2, 2])
        _ = cache.insert(9, forKey: 9, byteCount: 10, into: .loose, at: .cold, owner: 1)
        #expect(evict(10, from: &cache, sparing: 1) == [9])
        #expect(evict(10, from: &cache, sparing: 1, round: 5) == [2])
        // 0 and 1 are at the hot end now.
        #expect(evict(30, from: &cache, sparing: 1, round: 6) == [3, 4, 5])
        _ = cache.value(forKey: 1)
        _ = cache.insert(7, forKey: 7, byteCount: 10, into: .loose, at: .hot, isUsed: true, owner: 2)
        #expect(evict(10, from: &cache, sparing: 1, round: 20) == [7])
        #expect(evict(10, from: &cache, sparing: 1, round: 21) == [0])
        #expect(cache.keys(of: .loose) == [1])
    }

    @Test("rounds go on after the last number")
    func lastRound() {
        var cache = filled(with: [1, 2, 2, 2])
        #expect(evict(10, from: &cache, sparing: 1, round: Int(Cache.Patience.lastRound)) == [1])
        // 0 is the coldest again.
        for key in [2, 3] { _ = cache.value(forKey: key) }
        #expect(evict(10, from: &cache, sparing: 1, round: 3) == [2])
        _ = cache.value(forKey: 3)
        #expect(evict(10, from: &cache, sparing: 1, round: 30) == [0])
    }

    /// - Parameter owners: the owners of the entries 0, 1 and so on, of 10 bytes each, the coldest first.
    private func filled(with owners: [Int]) -> Cache {
        var cache = Cache()
        for (key, owner) in owners.enumerated() {
            _ = cache.insert(key, forKey: key, byteCount: 10, into: .loose, at: .hot, isUsed: true, owner: owner)
        }
        return cache
    }

    private func evict(_ byteCount: Int, from cache: inout Cache, sparing owner: Int, round: Int = 1) -> [Int] {
        cache.evict(
            byteCount, of: .loose, passingOverAtMost: 9, sparingAtMost: 9, Self.patience(round),
            sparing: { entryOwner, _ in entryOwner == owner }, where: { _ in true }
        ).map(\.key)
    }
}
