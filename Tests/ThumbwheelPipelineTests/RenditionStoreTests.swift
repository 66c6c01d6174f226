import Testing
import ThumbwheelCore
import ThumbwheelRendering

@testable import ThumbwheelPipeline

/// The store alone, without a pipeline around it.
@Suite struct RenditionStoreTests {
    private typealias Rendition = TablePipeline.Rendition

    private var store = RenditionStore(budget: 1000)

    private func image(_ asset: Int, bytes: Int, isPacked: Bool = false) -> SharedImage {
        var facts = ImageFacts(pixelSize: PixelSize(width: 100, height: 100), byteCount: bytes)
        facts.memoryTier = isPacked ? .packed : .bitmaps
        let contents: ImageContents = isPacked ? .blankPacked : .onePixel()
        return SharedImage(PipelineImage(contents, facts), of: Rendition(asset).key.subject.asset)
    }

    private mutating func insert(
        _ asset: Int, bytes: Int = 100, isWanted: Bool = false, isUsed: Bool = true, isPacked: Bool = false
    ) -> [DepartedRendition] {
        store.insert(
            image(asset, bytes: bytes, isPacked: isPacked), for: Rendition(asset).key, isWanted: isWanted,
            isUsed: isUsed)
    }

    @Test("renditions go in order: never seen, packed, outside windows, inside")
    mutating func order() throws {
        _ = insert(1, isWanted: true)
        _ = insert(2)
        _ = insert(3, isPacked: true)
        _ = insert(4, isUsed: false)
        try store.checkInvariants { $0 == Rendition(1).key }
        let gone1 = store.evict(untilFitting: 900, includingWanted: false)
        #expect(gone1.map(\.key) == [4, 3, 2].map { Rendition($0).key })
        let gone2 = store.shortageAfterEvicting(for: 1000, includingWanted: false)
        #expect(gone2 == 100)
        let gone3 = store.shortageAfterEvicting(for: 1000, includingWanted: true)
        #expect(gone3 == 0)
        let last = store.evict(untilFitting: 1000, includingWanted: true)
        #expect(last.map(\.key) == [Rendition(1).key] && last.allSatisfy(\.isEvicted))
        #expect(store.budget.usedByteCount == 0)
        try store.checkInvariants { _ in false }
    }

    @Test("a rendition lies in one tier: its packed form takes the place of its pixels, and they of it")
    mutating func tiers() throws {
        _ = insert(1)
        let unpacked = insert(1, bytes: 60, isPacked: true)
        #expect(unpacked.map(\.tier) == [.bitmaps] && !unpacked[0].isEvicted)
        #expect(!store.contains(Rendition(1).key) && store.budget.usedByteCount(for: .packed) == 60)
        let packed = insert(1)
        #expect(packed.map(\.tier) == [.packed] && store.budget.usedByteCount == 100)
        try store.checkInvariants { _ in false }
    }

    @Test("an image that somebody holds, reads or is about to get stays")
    mutating func inUse() throws {
        for asset in 1...3 { _ = insert(asset) }
        let held = store.pixels(of: Rendition(1).key)
        let cached = store.image(Rendition(2).key)
        let read = try #require(cached)
        let input = RenderInput(Rendition(2).key, read)
        store.beginReading(input)
        let third = store.image(Rendition(3).key)
        store.noteOnTheWay(try #require(third))
        let gone4 = store.evict(untilFitting: 1000, includingWanted: true)
        #expect(gone4.isEmpty)
        store.endReading(input)
        let gone5 = store.evict(untilFitting: 1000, includingWanted: true)
        #expect(gone5.map(\.key) == [Rendition(2).key])
        withExtendedLifetime(held) {}
    }

    @Test("pressure takes what was never seen, then all outside windows, then everything")
    mutating func pressure() {
        _ = insert(1, isWanted: true)
        _ = insert(2)
        _ = insert(3, isUsed: false)
        let gone6 = store.setPressure(.mild, from: .host)
        #expect(gone6.map(\.key) == [Rendition(3).key])
        let gone7 = store.setPressure(.moderate, from: .system)
        #expect(gone7.map(\.key) == [Rendition(2).key])
        let gone8 = store.setPressure(.critical, from: .host)
        #expect(gone8.map(\.key) == [Rendition(1).key])
        #expect(store.pressureLevel == .critical && store.budget.limit == 0)
        _ = store.setPressure(.none, from: .host)
        // The system's word still counts.
        #expect(store.pressureLevel == .moderate && store.budget.limit == 1000)
    }
}
