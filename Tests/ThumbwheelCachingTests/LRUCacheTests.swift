import Testing
import ThumbwheelCaching
import ThumbwheelCore

@Suite struct LRUCacheTests {
    @Test(
        "random traces go hit for hit, eviction for eviction and byte for byte as in a plain array", arguments: 0..<40)
    func randomTraces(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var cache = LRUCache<Int, Int>()
        var reference = ReferenceCache()
        let keyCount = 1 + random.index(below: 40)
        for step in 0..<2500 {
            let key = random.index(below: keyCount)
            let segment: ReferenceCache.Segment = random.index(below: 2) == 0 ? .loose : .held
            switch random.index(below: 13) {
            case ..<4:
                let bytes = random.index(below: 1000)
                let position: ReferenceCache.Position = random.index(below: 3) == 0 ? .cold : .hot
                let isUsed = random.index(below: 3) == 0
                let replaced = cache.insert(
                    step, forKey: key, byteCount: bytes, into: segment, at: position, isUsed: isUsed)
                let expected = reference.insert(
                    step, forKey: key, byteCount: bytes, into: segment, at: position, isUsed: isUsed)
                #expect(Self.isSame(replaced, expected), "seed \(seed), step \(step)")
            case ..<8: #expect(cache.value(forKey: key) == reference.value(forKey: key), "seed \(seed), step \(step)")
            case 8:
                #expect(Self.isSame(cache.remove(key), reference.remove(key)), "seed \(seed), step \(step)")
            case 9:
                let (evicted, expected) = (cache.evictColdest(of: segment), reference.evictColdest(of: segment))
                #expect(Self.isSame(evicted, expected), "seed \(seed), step \(step)")
            case 10:
                let (byteCount, limit) = (random.index(below: 3000), random.index(below: 8))
                let evictable = cache.prepareToEvict(byteCount, of: segment, passingOverAtMost: limit) {
                    !$0.isMultiple(of: 3)
                }
                let expected = reference.prepareToEvict(byteCount, of: segment, passingOverAtMost: limit) {
                    !$0.isMultiple(of: 3)
                }
                #expect(evictable == expected, "seed \(seed), step \(step)")
            case 11:
                cache.move(key, to: segment)
                reference.move(key, to: segment)
            default:
                #expect(cache.peek(key) == reference.peek(key), "seed \(seed), step \(step)")
                #expect(cache.contains(key) == (reference.peek(key) != nil), "seed \(seed), step \(step)")
            }
            #expect(Self.isSame(cache, reference), "seed \(seed), step \(step)")
        }
    }

    @Test("on the textbook's reference string three frames miss twelve times")
    func textbook() {
        // Silberschatz, Operating System Concepts, on page replacement.
        let pages = [7, 0, 1, 2, 0, 3, 0, 4, 2, 3, 0, 3, 2, 1, 2, 0, 1, 7, 0, 1]
        var cache = LRUCache<Int, Int>()
        var missCount = 0
        for page in pages where cache.value(forKey: page) == nil {
            missCount += 1
            if cache.count == 3 { _ = cache.evictColdest(of: .loose) }
            _ = cache.insert(page, forKey: page, byteCount: 1, into: .loose, at: .hot)
        }
        #expect(missCount == 12)
    }

    @Test("looking up makes an entry the last to go, looking without using does not")
    func recency() {
        var cache = filled(with: [1, 2, 3])
        _ = cache.peek(1)
        #expect(cache.keys(of: .loose) == [3, 2, 1])
        #expect(cache.value(forKey: 1) == 1)
        #expect(cache.keys(of: .loose) == [1, 3, 2])
        #expect(cache.evictColdest(of: .loose)?.key == 2)
        #expect(cache.value(forKey: 2) == nil)
    }

    @Test("the coldest that is wanted is found among so many, and stays where it is")
    func coldest() {
        let cache = filled(with: [1, 2, 3, 4])
        #expect(cache.coldest(of: .loose, among: 4) { key, _, _ in key.isMultiple(of: 2) } == 2)
        #expect(cache.coldest(of: .loose, among: 2) { key, _, _ in key > 2 } == nil)
        #expect(cache.coldest(of: .loose, among: 9) { _, _, wasUsed in wasUsed } == nil)
        #expect(cache.coldest(of: .held, among: 9) { _, _, _ in true } == nil)
        #expect(cache.keys(of: .loose) == [4, 3, 2, 1])
    }

    @Test("an entry at the cold end is the first to go")
    func coldEnd() {
        var cache = filled(with: [1, 2])
        _ = cache.insert(3, forKey: 3, byteCount: 10, into: .loose, at: .cold)
        #expect(cache.keys(of: .loose) == [2, 1, 3])
        #expect(cache.evictColdest(of: .loose)?.key == 3)
    }

    @Test("let loose, what was used goes to the hot end and what never was to the cold one")
    func lettingLoose() {
        var cache = filled(with: [1])
        _ = cache.insert(2, forKey: 2, byteCount: 10, into: .held, at: .hot)
        _ = cache.insert(3, forKey: 3, byteCount: 10, into: .held, at: .cold, isUsed: true)
        _ = cache.insert(4, forKey: 4, byteCount: 10, into: .held, at: .hot)
        #expect(cache.value(forKey: 4) == 4)
        for key in [2, 3, 4] { cache.move(key, to: .loose) }
        #expect(cache.keys(of: .loose) == [4, 3, 1, 2])
        #expect(cache.keys(of: .held) == [])
    }

    @Test("what cannot go is passed over to the hot end, so far as a call may look")
    func preparing() {
        var cache = LRUCache<Int, Int>()
        for key in 1...5 {
            _ = cache.insert(key, forKey: key, byteCount: 10, into: .loose, at: .hot, isUsed: true)
        }
        #expect(cache.prepareToEvict(15, of: .loose, passingOverAtMost: 1) { $0 > 2 } == 0)
        #expect(cache.keys(of: .loose) == [2, 1, 5, 4, 3])
        #expect(cache.prepareToEvict(15, of: .loose, passingOverAtMost: 1) { $0 > 2 } == 20)
        #expect(cache.keys(of: .loose) == [2, 1, 5, 4, 3])
        #expect(cache.prepareToEvict(.max, of: .loose, passingOverAtMost: .max) { $0 > 2 } == 30)
        #expect(cache.prepareToEvict(1, of: .loose, passingOverAtMost: .max) { _ in false } == 0)
        #expect(cache.keys(of: .loose).count == 5)
    }

    @Test("each segment gives up its own, and its bytes are its own")
    func segments() {
        var cache = filled(with: [1, 2])
        _ = cache.insert(3, forKey: 3, byteCount: 100, into: .held, at: .hot)
        #expect(cache.byteCount(of: .loose) == 20)
        #expect(cache.byteCount(of: .held) == 100)
        cache.move(1, to: .held)
        #expect(cache.byteCount(of: .loose) == 10)
        #expect(cache.byteCount(of: .held) == 110)
        #expect(cache.evictColdest(of: .held)?.key == 3)
        #expect(cache.evictColdest(of: .loose)?.key == 2)
        #expect(cache.evictColdest(of: .loose) == nil)
        #expect(cache.byteCount == 10)
        #expect(cache.count == 1)
    }

    @Test("an entry in place of another gives the other back, from whatever segment")
    func replacement() {
        var cache = filled(with: [1])
        let replaced = cache.insert(9, forKey: 1, byteCount: 70, into: .held, at: .hot)
        #expect((replaced?.key, replaced?.value, replaced?.byteCount) == (1, 1, 10))
        #expect(cache.keys(of: .loose) == [])
        #expect(cache.keys(of: .held) == [1])
        #expect(cache.byteCount == 70)
        #expect(cache.peek(1) == 9)
    }

    private func filled(with keys: [Int]) -> LRUCache<Int, Int> {
        var cache = LRUCache<Int, Int>()
        for key in keys { _ = cache.insert(key, forKey: key, byteCount: 10, into: .loose, at: .hot) }
        return cache
    }

    private static func isSame(_ removed: LRUCache<Int, Int>.Removed?, _ entry: ReferenceCache.Entry?) -> Bool {
        removed?.key == entry?.key && removed?.value == entry?.value && removed?.byteCount == entry?.byteCount
    }

    private static func isSame(_ cache: LRUCache<Int, Int>, _ reference: ReferenceCache) -> Bool {
        [ReferenceCache.Segment.loose, .held].allSatisfy {
            cache.keys(of: $0) == reference.keys(of: $0) && cache.byteCount(of: $0) == reference.byteCount(of: $0)
        } && cache.count == reference.count
            && cache.byteCount == reference.byteCount(of: .loose) + reference.byteCount(of: .held)
    }
}
