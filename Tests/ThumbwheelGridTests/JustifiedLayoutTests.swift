import TestSupport
import Testing
import Thumbwheel
import ThumbwheelGrid

@Suite struct JustifiedLayoutTests {
    private static let viewport = PixelSize(width: 1000, height: 800)

    private static func layout(_ aspectRatios: [Double], axis: ScrollAxis = .vertical) -> JustifiedLayout {
        JustifiedLayout(
            aspectRatios: aspectRatios, targetLength: 200, spacing: LayoutSize(width: 4, height: 6),
            insets: LayoutInsets(10), axis: axis, viewport: viewport)
    }

    @Test("full lines fill the breadth with whole pixels, keep aspect ratios, and come close to the target length")
    func lines() {
        var random = SeededGenerator(seed: 1)
        let ratios = (0..<500).map { _ in random.value(in: 0.5...2) }
        let layout = Self.layout(ratios)
        let rects = ratios.indices.map { layout.rect(of: $0) }
        let lines = Dictionary(grouping: rects, by: \.minY).sorted { $0.key < $1.key }.map(\.value)
        for line in lines.dropLast() {
            #expect(line.first?.minX == 10 && line.last?.maxX == 990)
            #expect(zip(line, line.dropFirst()).allSatisfy { $0.maxX + 4 == $1.minX })
            #expect(Set(line.map(\.height)).count == 1)
            #expect((150...270).contains(line[0].height))
        }
        #expect(zip(lines, lines.dropFirst()).allSatisfy { $0[0].maxY + 6 == $1[0].minY })
        for (rect, ratio) in zip(rects, ratios) {
            #expect(rect.minX == rect.minX.rounded() && rect.minY == rect.minY.rounded())
            // The line's length and the item's two edges are rounded.
            #expect(abs(rect.width - ratio * rect.height) <= 2.5)
        }
        #expect(layout.contentSize == LayoutSize(width: 1000, height: rects[499].maxY + 10))
    }

    @Test("the last line has the target length and is not stretched, unless it is full")
    func lastLine() {
        let layout = Self.layout([1, 1, 1, 1, 1, 1.5])
        #expect(layout.rect(of: 4).minY == 10)
        #expect(layout.rect(of: 5) == LayoutRect(x: 10, y: 10 + 193 + 6, width: 300, height: 200))
        let full = Self.layout([1, 1, 1, 1, 1])
        #expect(full.rect(of: 4) == LayoutRect(minX: 797, minY: 10, maxX: 990, maxY: 203))
        #expect(Self.layout([]).contentSize == LayoutSize(width: 1000, height: 20))
    }

    @Test("along the other axis it is the same layout, turned")
    func axes() {
        var random = SeededGenerator(seed: 2)
        let ratios = (0..<100).map { _ in random.value(in: 0.5...2) }
        let vertical = JustifiedLayout(
            aspectRatios: ratios, targetLength: 100, viewport: PixelSize(width: 500, height: 300))
        let horizontal = JustifiedLayout(
            aspectRatios: ratios.map { 1 / $0 }, targetLength: 100, axis: .horizontal,
            viewport: PixelSize(width: 300, height: 500))
        for item in ratios.indices {
            let (one, other) = (vertical.rect(of: item), horizontal.rect(of: item))
            #expect(one == LayoutRect(minX: other.minY, minY: other.minX, maxX: other.maxY, maxY: other.maxX))
        }
        #expect(horizontal.contentLength == vertical.contentLength)
    }

    @Test("after any change the layout equals one made anew", arguments: 0..<40)
    func changes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var ratios = RandomLayout.aspectRatios(random.index(below: 60), from: &random)
        var layout = Self.layout(ratios)
        for step in 0..<100 {
            let start = random.index(below: ratios.count + 1)
            let end = start + random.index(below: min(5, ratios.count - start) + 1)
            // Often the same ratios come back, so that lines meet again.
            let count = random.index(below: 5)
            let new =
                random.index(below: 3) == 0
                ? Array(ratios[start..<end].reversed()) : RandomLayout.aspectRatios(count, from: &random)
            layout.replaceSubrange(start..<end, with: new)
            ratios.replaceSubrange(start..<end, with: new)
            #expect(layout == Self.layout(ratios), "seed \(seed), step \(step)")
        }
    }

    @Test("a change in a million items lays out some lines anew, and not all")
    func costOfChanges() {
        var random = SeededGenerator(seed: 3)
        let ratios = (0..<1_000_000).map { _ in random.value(in: 0.5...2) }
        var layout = Self.layout(ratios)
        var counts: [Int] = []
        for _ in 0..<20 {
            let item = random.index(below: ratios.count)
            counts.append(layout.replaceSubrange(item..<item, with: [random.value(in: 0.5...2)]))
        }
        counts.sort()
        #expect(counts[10] < 30 && counts[19] < 300, "\(counts)")
    }

    @Test("a library's change is followed: assets that come, go, move, and get another shape", arguments: 0..<20)
    func libraryChanges(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var next = 0
        func asset(_ number: Int? = nil, version: UInt32 = 1) -> Asset {
            next += 1
            return Pictures.asset(
                number ?? next, contentVersion: version,
                size: PixelSize(width: 300 + random.index(below: 900), height: 300 + random.index(below: 900)))
        }
        var assets = (0..<50).map { _ in asset() }
        func make() -> JustifiedLayout {
            JustifiedLayout(FetchResult(assets), targetLength: 120, viewport: Self.viewport)
        }
        var layout = make()
        for step in 0..<30 {
            let before = FetchResult(assets)
            var changed: [Asset] = []
            for _ in 0..<1 + random.index(below: 4) {
                let item = random.index(below: assets.count)
                switch random.index(below: 4) {
                case 0: assets.insert(asset(), at: item)
                case 1: if assets.count > 10 { assets.remove(at: item) }
                case 2: assets.insert(assets.remove(at: item), at: random.index(below: assets.count))
                default:
                    assets[item] = asset(Int(assets[item].identifier.low), version: UInt32(step + 2))
                    changed.append(assets[item])
                }
            }
            layout.update(
                with: FetchResultChangeDetails(from: before, to: FetchResult(assets), changedObjects: changed))
            #expect(layout == make(), "seed \(seed), step \(step)")
        }
    }
}
