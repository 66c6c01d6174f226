import Testing
import Thumbwheel
import ThumbwheelGrid

/// What holds for every layout, by comparison with a walk through all items.
@Suite struct ScrollLayoutTests {
    /// Positions that are worth a look: around the edges of some items, at random, and far away.
    private func positions(of rects: [LayoutRect], _ edges: (LayoutRect) -> [Double], _ random: inout SeededGenerator)
        -> [Double]
    {
        var near: [Double] = rects.isEmpty ? [0] : []
        for _ in 0..<4 where !rects.isEmpty { near += edges(rects[random.index(below: rects.count)]) }
        let anywhere = (0..<4).map { _ in random.value(in: -100...3000) }
        return near + near.map(\.nextDown) + near.map(\.nextUp) + anywhere + [
            -.infinity, .infinity, .nan, 1e300, -1e300,
        ]
    }

    @Test("the items in a rectangle are those whose own rectangles meet it", arguments: 0..<60)
    func itemsInRectangles(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let layout = RandomLayout.layout(from: &random)
        let rects = (0..<layout.itemCount).map { layout.rect(of: $0) }
        let (xs, ys) = (
            positions(of: rects, { [$0.minX, $0.maxX] }, &random),
            positions(of: rects, { [$0.minY, $0.maxY] }, &random)
        )
        for _ in 0..<300 {
            let query = LayoutRect(
                minX: xs[random.index(below: xs.count)], minY: ys[random.index(below: ys.count)],
                maxX: xs[random.index(below: xs.count)], maxY: ys[random.index(below: ys.count)])
            let found = layout.items(in: query)
            let expected = rects.indices.filter { rects[$0].intersects(query) }
            #expect(found.flatMap(Array.init) == expected, "seed \(seed): \(query) of \(layout)")
            #expect(found.allSatisfy { !$0.isEmpty }, "seed \(seed)")
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "seed \(seed)")
        }
    }

    @Test("the items between two positions are those of the band that has no end across the axis", arguments: 0..<60)
    func itemsInBands(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let layout = RandomLayout.layout(from: &random)
        let isVertical = layout.axis == .vertical
        let rects = (0..<layout.itemCount).map { layout.rect(of: $0) }
        let places = positions(of: rects, { isVertical ? [$0.minY, $0.maxY] : [$0.minX, $0.maxX] }, &random)
        for _ in 0..<200 {
            let (start, end) = (places[random.index(below: places.count)], places[random.index(below: places.count)])
            let expected = rects.indices.filter {
                let (low, high) = isVertical ? (rects[$0].minY, rects[$0].maxY) : (rects[$0].minX, rects[$0].maxX)
                return start < end && low < end && high > start
            }
            let found = layout.items(from: start, to: end)
            #expect(Array(found) == expected, "seed \(seed): \(start) to \(end) of \(layout)")
            #expect(found.lowerBound >= 0 && found.upperBound <= layout.itemCount, "seed \(seed)")
        }
    }

    @Test("no two items overlap, and the contents enclose them all", arguments: 0..<60)
    func places(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let layout = RandomLayout.layout(from: &random)
        let rects = (0..<layout.itemCount).map { layout.rect(of: $0) }
        let size = layout.contentSize
        let most = layout.axis == .vertical ? size.width : size.height
        for (item, rect) in rects.enumerated() {
            // Sums of fractions are rounded.
            #expect(rect.minX >= 0 && rect.maxX <= size.width + 1e-6, "seed \(seed), item \(item)")
            #expect(rect.minY >= 0 && rect.maxY <= size.height + 1e-6, "seed \(seed), item \(item)")
            for other in item + 1..<min(rects.count, item + 40) {
                let common = min(rect.maxX, rects[other].maxX) - max(rect.minX, rects[other].minX)
                let high = min(rect.maxY, rects[other].maxY) - max(rect.minY, rects[other].minY)
                #expect(common < 1e-6 || high < 1e-6, "seed \(seed), items \(item) and \(other)")
            }
        }
        #expect(most.isFinite && layout.contentLength.isFinite && layout.lineLength > 0 && layout.lengthPerItem > 0)
        let lines = rects.indices.map { layout.line(of: $0) }
        #expect(lines == lines.sorted(), "seed \(seed)")
    }

    @Test("a layout of one's own has its bands from its rectangles")
    func ownLayout() {
        /// Two columns whose items have different heights.
        struct Towers: ScrollLayout {
            let itemCount = 40
            let axis = ScrollAxis.vertical
            let viewport = PixelSize(width: 200, height: 300)
            let contentSize = LayoutSize(width: 200, height: 3000)

            func rect(of item: Int) -> LayoutRect {
                let height = item.isMultiple(of: 2) ? 150.0 : 100
                return LayoutRect(
                    x: item.isMultiple(of: 2) ? 0 : 100, y: Double(item / 2) * height, width: 100, height: height)
            }

            func items(in rect: LayoutRect) -> [Range<Int>] {
                (0..<itemCount).filter { self.rect(of: $0).intersects(rect) }.map { $0..<$0 + 1 }
            }
        }
        let layout = Towers()
        // From 600 to 900 the left column shows 8 and 10, the right one 13, 15 and 17.
        #expect(layout.visibleItems(at: 600) == 8..<18)
        #expect(layout.maximumOffset == 2700 && layout.lineLength == 150 && layout.lengthPerItem == 75)
        #expect(layout.targetSize(of: 3) == PixelSize(width: 100, height: 100))
        var planner = ScrollPlanner()
        var grid = PlannedGrid()
        for offset in stride(from: 0.0, through: 2700, by: 90) {
            grid.apply(planner.viewportMoved(to: offset, in: layout, at: .zero))
            #expect(grid.requested.keys.sorted() == Array(layout.visibleItems(at: offset)))
        }
        #expect(grid.violations == [])
    }
}
