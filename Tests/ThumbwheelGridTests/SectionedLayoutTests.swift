import Foundation
import Testing
import Thumbwheel
import ThumbwheelGrid

@Suite struct SectionedLayoutTests {
    private static let viewport = PixelSize(width: 400, height: 300)

    private static func section(_ itemCount: Int) -> GridLayout {
        GridLayout(columnCount: 4, cellSide: 100, viewport: viewport, itemCount: itemCount)
    }

    @Test("each section begins below its header, with a line of its own")
    func places() {
        let layout = SectionedLayout([5, 0, 3].map(Self.section), headerLength: 40, viewport: Self.viewport)
        #expect(layout.itemCount == 8 && layout.contentSize == LayoutSize(width: 400, height: 420))
        #expect(layout.rect(of: 4) == LayoutRect(x: 0, y: 140, width: 100, height: 100))
        #expect(layout.rect(of: 5) == LayoutRect(x: 0, y: 320, width: 100, height: 100))
        #expect(layout.headerRect(ofSection: 2) == LayoutRect(x: 0, y: 280, width: 400, height: 40))
        // Nothing but headers.
        #expect(layout.items(from: 240, to: 320).isEmpty && layout.items(in: layout.headerRect(ofSection: 0)) == [])
        #expect(layout.visibleItems(at: 100) == 0..<8 && layout.visibleItems(at: 200) == 4..<8)
    }

    @Test("after sections were replaced the layout equals one made anew", arguments: 0..<20)
    func changes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var counts = (0..<random.index(below: 8)).map { _ in random.index(below: 20) }
        func make() -> SectionedLayout<GridLayout> {
            SectionedLayout(counts.map(Self.section), headerLength: 100.0 / 3, viewport: Self.viewport)
        }
        var layout = make()
        for step in 0..<50 {
            let start = random.index(below: counts.count + 1)
            let end = start + random.index(below: min(3, counts.count - start) + 1)
            let new = (0..<random.index(below: 3)).map { _ in random.index(below: 20) }
            layout.replaceSections(start..<end, with: new.map(Self.section))
            counts.replaceSubrange(start..<end, with: new)
            let anew = make()
            #expect(layout.itemCount == anew.itemCount && layout.contentSize == anew.contentSize, "seed \(seed)")
            for item in 0..<anew.itemCount {
                #expect(layout.rect(of: item) == anew.rect(of: item), "seed \(seed), step \(step), item \(item)")
            }
        }
    }

    /// An asset of a day, with a random shape.
    private static func asset(
        _ number: Int, day: Int, version: UInt32 = 1, from random: inout SeededGenerator
    ) -> Asset {
        Asset(
            identifier: AssetIdentifier(high: 1, low: UInt64(number)), contentVersion: version,
            head: ImageHead(
                contentType: .jpeg,
                storedSize: PixelSize(width: 300 + random.index(below: 900), height: 300 + random.index(below: 900))),
            resource: .bytes([]), fileSize: 1000, originalFilename: "a.jpg",
            creationDate: Date(timeIntervalSince1970: Double(day) * 86_400))
    }

    private static func day(of asset: Asset) -> Date? { asset.creationDate }

    private static func justified(_ assets: FetchResult<Asset>) -> SectionedLayout<JustifiedLayout> {
        SectionedLayout(assets, headerLength: 40, viewport: viewport, by: day) {
            JustifiedLayout($0, targetLength: 90, viewport: viewport)
        }
    }

    @Test("a library's change is followed: the layout equals one made anew by the same key", arguments: 0..<30)
    func libraryChanges(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var next = 0
        func asset(_ number: Int? = nil, version: UInt32 = 1) -> Asset {
            next += 1
            return Self.asset(number ?? next, day: random.index(below: 6), version: version, from: &random)
        }
        var assets = (0..<40).map { _ in asset() }.sorted { Self.day(of: $0)! < Self.day(of: $1)! }
        var layout = Self.justified(FetchResult(assets))
        for step in 0..<40 {
            let before = FetchResult(assets)
            var changed: [Asset] = []
            for _ in 0..<1 + random.index(below: 4) {
                let item = random.index(below: assets.count)
                switch random.index(below: 5) {
                case 0: assets.insert(asset(), at: item)
                case 1: if assets.count > 10 { assets.remove(at: item) }
                case 2: assets.insert(assets.remove(at: item), at: random.index(below: assets.count))
                case 3:
                    assets[item] = asset(Int(assets[item].identifier.low), version: UInt32(step + 2))
                    changed.append(assets[item])
                default:
                    // A whole day goes, so that its neighbours meet.
                    let day = Self.day(of: assets[item])
                    if assets.count > 20 { assets.removeAll { Self.day(of: $0) == day } }
                }
            }
            layout.update(
                with: FetchResultChangeDetails(from: before, to: FetchResult(assets), changedObjects: changed),
                by: Self.day
            ) { JustifiedLayout($0, targetLength: 90, viewport: Self.viewport) }
            let anew = Self.justified(FetchResult(assets))
            #expect(layout.sections == anew.sections, "seed \(seed), step \(step)")
            #expect(layout.contentSize == anew.contentSize && layout.itemCount == assets.count, "seed \(seed)")
            for item in assets.indices where layout.rect(of: item) != anew.rect(of: item) {
                Issue.record("seed \(seed), step \(step), item \(item)")
            }
        }
    }

    @Test(
        "only the sections of what came, went, moved or changed are laid out anew, and of the others one asset is looked at"
    )
    func costOfChanges() {
        var random = SeededGenerator(seed: 1)
        var assets = (0..<1000).map { Self.asset($0, day: $0 / 10, from: &random) }
        var layout = Self.justified(FetchResult(assets))
        func follow(_ changed: [Asset] = [], _ edit: (inout [Asset]) -> Void) -> (made: Int, lookedAt: Int) {
            let before = FetchResult(assets)
            edit(&assets)
            var count = 0
            let details = FetchResultChangeDetails(from: before, to: FetchResult(assets), changedObjects: changed)
            let made = layout.update(
                with: details,
                by: { asset in
                    count += 1
                    return Self.day(of: asset)
                }, section: { JustifiedLayout($0, targetLength: 90, viewport: Self.viewport) })
            return (made, count)
        }
        #expect(follow { $0.remove(at: 555) } == (1, 101))
        #expect(follow { $0.insert(Self.asset(5000, day: 20, from: &random), at: 205) } == (1, 102))
        #expect(follow { $0.removeSubrange(301..<311) }.made == 0 && layout.sections.count == 99)
        let other = Self.asset(3, day: 0, version: 2, from: &random)
        #expect(follow([other]) { $0[3] = other }.made == 1)
        // To the end of another day: a section of its own there, and one less where it was.
        #expect(follow { $0.append($0.remove(at: 0)) } == (2, 100))
        #expect(layout.sections.count == 100 && layout.sections.last?.itemCount == 1)
        #expect(follow { _ in }.made == 0)
    }

    @Test("too large a change, and a first layout, look at each asset once")
    func wholesale() {
        var random = SeededGenerator(seed: 2)
        let assets = (0..<5000).map { Self.asset($0, day: $0 / 500, from: &random) }
        var layout = Self.justified(FetchResult(assets))
        #expect(layout.sections.count == 10)
        let after = FetchResult(assets.indices.map { assets[($0 * 1771) % 5000] })
        let details = FetchResultChangeDetails(from: FetchResult(assets), to: after, changedObjects: [])
        #expect(!details.hasIncrementalChanges)
        layout.update(with: details, by: Self.day) {
            JustifiedLayout($0, targetLength: 90, viewport: Self.viewport)
        }
        #expect(layout.sections == Self.justified(after).sections)
    }
}
