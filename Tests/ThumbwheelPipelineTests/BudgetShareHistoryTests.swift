import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

@testable import ThumbwheelPipeline

/// Random histories of a store whose budget several owners share.
@Suite struct BudgetShareHistoryTests {
    private typealias Rendition = TablePipeline.Rendition

    private static let budget = 10_000
    private static let shares = [
        nil, BudgetShare(of: 7), BudgetShare(of: 8, weight: 3), BudgetShare(of: 9, weight: 0.5),
    ]

    @Test(
        "whatever comes, goes, is packed, wanted, held or read: the budget is kept, room that was promised is made, and the bytes of owners add up",
        arguments: 0..<30)
    func histories(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var store = RenditionStore(budget: Self.budget)
        var wanted: Set<RenditionKey> = []
        var held: [Bitmap] = []
        var read: [RenderInput] = []
        for step in 0..<1500 {
            let key = Rendition(random.index(below: 60)).key
            switch random.index(below: 12) {
            case ..<6:
                let bytes = 50 + random.index(below: 400)
                let includesWanted = random.index(below: 4) == 0
                let lacking = store.shortageAfterEvicting(for: bytes, includingWanted: includesWanted)
                guard lacking == 0 else { continue }
                _ = store.evict(untilFitting: bytes, includingWanted: includesWanted)
                #expect(store.shortage(for: bytes) == 0, "seed \(seed), step \(step)")
                let isPacked = random.index(below: 5) == 0
                if isPacked { wanted.remove(key) }
                _ = store.insert(
                    Self.image(key, bytes: bytes, isPacked: isPacked), for: key, isWanted: wanted.contains(key),
                    isUsed: isPacked || random.index(below: 5) > 0, in: Self.shares[random.index(below: 4)])
            case 6, 7: _ = store.image(key)
            case 8:
                guard store.contains(key) else { continue }
                if wanted.remove(key) == nil { wanted.insert(key) }
                store.setWanted(wanted.contains(key), key)
            case 9: if let bitmap = store.pixels(of: key), held.count < 8 { held.append(bitmap) } else { held = [] }
            case 10:
                if let image = store.peek(key), read.count < 4 {
                    read.append(RenderInput(key, image))
                    store.beginReading(read.last!)
                } else {
                    for input in read { store.endReading(input) }
                    read = []
                }
            default: _ = store.setBudget(random.index(below: 6) == 0 ? Self.budget / 2 : Self.budget)
            }
            store.endEvent()
            _ = store.evict(untilFitting: 0, includingWanted: true)
            wanted = wanted.filter { store.contains($0) }
            do {
                try store.checkInvariants { wanted.contains($0) }
            } catch {
                Issue.record("\(error), seed \(seed), step \(step)")
                return
            }
            var statistics = PipelineStatistics()
            store.add(to: &statistics)
            let owned = statistics.ownedByteCounts.values.reduce(0, +)
            #expect(owned <= statistics.cachedByteCount + statistics.packedByteCount)
        }
        _ = store.setBudget(0)
    }

    @Test("as many as walk have parts by their weights, over any weights and sizes", arguments: 0..<20)
    func parts(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var store = RenditionStore(budget: 1_000_000)
        let weights = (0..<2 + random.index(below: 5)).map { _ in Double(1 + random.index(below: 8)) }
        for number in 0..<12_000 {
            let owner = random.index(below: weights.count)
            let (key, bytes) = (Rendition(number).key, 500 + random.index(below: 1500))
            _ = store.evict(untilFitting: bytes, includingWanted: false)
            _ = store.insert(
                Self.image(key, bytes: bytes), for: key, isWanted: false, isUsed: true,
                in: BudgetShare(of: owner, weight: weights[owner]))
        }
        var statistics = PipelineStatistics()
        store.add(to: &statistics)
        #expect(statistics.budgetPeakByteCount <= 1_000_000)
        for (owner, weight) in weights.enumerated() {
            let part = 1_000_000 * weight / weights.reduce(0, +)
            let bytes = Double(statistics.ownedByteCounts[owner] ?? 0)
            #expect(abs(bytes - part) < 20_000, "seed \(seed): \(owner) of \(weights)")
        }
    }

    private static func image(_ key: RenditionKey, bytes: Int, isPacked: Bool = false) -> SharedImage {
        var facts = ImageFacts(pixelSize: PixelSize(width: 100, height: 100), byteCount: bytes)
        facts.memoryTier = isPacked ? .packed : .bitmaps
        let contents: ImageContents = isPacked ? .blankPacked : .onePixel()
        return SharedImage(PipelineImage(contents, facts), of: key.subject.asset)
    }
}
