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
}
