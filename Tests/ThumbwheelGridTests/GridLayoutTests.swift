import Testing
import Thumbwheel
import ThumbwheelGrid

@Suite struct GridLayoutTests {
    /// Four columns of cells of 100 pixels, of which eight rows are seen.
    private let layout = GridLayout(columnCount: 4, cellSide: 100, viewport: PixelSize(width: 400, height: 800))

    @Test("rows are counted from the top, the last one being incomplete")
    func rows() {
        #expect(layout.rowsPerScreen == 8)
        #expect(layout.row(ofItem: 0) == 0)
        #expect(layout.row(ofItem: 7) == 1)
        #expect(layout.rowCount(itemCount: 0) == 0)
        #expect(layout.rowCount(itemCount: 41) == 11)
        #expect(layout.maximumOffset(itemCount: 41) == 300)
        #expect(layout.maximumOffset(itemCount: 5) == 0)
    }

    @Test(
        "an item is visible when any part of it is",
        arguments: [
            (0, 0..<32), (0.5, 0..<36), (99.5, 0..<36), (100, 4..<36), (250, 8..<41), (-50, 0..<32), (-800, 0..<0),
            (300, 12..<41), (1050, 40..<41), (1100, 41..<41), (5000, 41..<41),
        ])
    func visibleItems(offset: Double, expected: Range<Int>) {
        let visible = layout.visibleItems(at: offset, itemCount: 41)
        #expect(Array(visible) == Array(expected))
    }

    @Test("any two heights give a range of items that there are", arguments: 0..<4)
    func extremes(seed: UInt64) {
        let heights = [
            -Double.infinity, -1e300, -1e19, -1e9, -1, -0.0, 0, 1e-9, 1, 99, 1e9, 1e19, 1e300, .infinity, .nan,
        ]
        for top in heights {
            for bottom in heights {
                let items = layout.items(from: top, to: bottom, itemCount: 41)
                #expect(items.lowerBound >= 0 && items.upperBound <= 41)
                #expect(layout.items(from: top, to: bottom, itemCount: 0).isEmpty)
            }
        }
        #expect(layout.items(from: -.infinity, to: .infinity, itemCount: 41) == 0..<41)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let top = random.value(in: -500...1500)
            let bottom = top + random.value(in: 0...900)
            let expected = (0..<41).filter { item in
                let y = Double(item / 4) * 100
                return y < bottom && y + 100 > top
            }
            #expect(Array(layout.items(from: top, to: bottom, itemCount: 41)) == expected, "seed \(seed)")
        }
    }
}

@Suite struct VisibleItemsTests {
    @Test(
        "what came and what went is told from the top",
        arguments: [
            (0..<4, 2..<6, [4, 5], [0, 1]), (2..<6, 0..<4, [0, 1], [4, 5]), (0..<4, 8..<10, [8, 9], [0, 1, 2, 3]),
            (0..<4, 0..<4, [], []), (0..<0, 3..<5, [3, 4], []), (3..<5, 0..<0, [], [3, 4]),
            (2..<4, 0..<9, [0, 1, 4, 5, 6, 7, 8], []),
        ])
    func update(before: Range<Int>, after: Range<Int>, arrived: [Int], left: [Int]) {
        var visible = VisibleItems()
        _ = visible.update(to: before)
        let changes = visible.update(to: after)
        #expect(changes.arrived == arrived)
        #expect(changes.left == left)
        #expect(visible.current == after)
    }
}
