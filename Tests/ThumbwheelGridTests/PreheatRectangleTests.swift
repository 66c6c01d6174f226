import Testing
import Thumbwheel
import ThumbwheelGrid

@Suite struct PreheatRectangleTests {
    @Test(
        "in every layout the steps add up to the items around the screen, and nothing is added or removed twice",
        arguments: 0..<40)
    func steps(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let layout = RandomLayout.layout(from: &random)
        var rectangle = PreheatRectangle(reach: random.value(in: 0...1.5))
        var held: Set<Int> = []
        var offset = 0.0
        var last: Double?
        for step in 0..<60 {
            offset += random.value(in: -1...1.3) * layout.screenLength
            offset = min(max(offset, -layout.screenLength), layout.maximumOffset + layout.screenLength)
            let isFar = last.map { abs(offset - $0) > layout.screenLength / 3 } ?? true
            guard let (added, removed) = rectangle.move(to: offset, in: layout) else {
                #expect(!isFar, "seed \(seed), step \(step)")
                continue
            }
            #expect(isFar, "seed \(seed), step \(step)")
            last = offset
            #expect(added == added.sorted() && held.isDisjoint(with: added), "seed \(seed), step \(step)")
            #expect(removed == removed.sorted() && held.isSuperset(of: removed), "seed \(seed), step \(step)")
            held.formUnion(added)
            held.subtract(removed)
            let expected = (0..<layout.itemCount).filter { layout.rect(of: $0).intersects(rectangle.rect) }
            #expect(held.sorted() == expected, "seed \(seed), step \(step)")
        }
    }

    @Test("the rectangle reaches as many screens as it is told, along the axis")
    func reach() {
        let viewport = PixelSize(width: 200, height: 100)
        for axis in ScrollAxis.allCases {
            var rectangle = PreheatRectangle(reach: 0.5)
            let layout = GridLayout(
                columnCount: 1, cell: LayoutSize(width: 10, height: 10), axis: axis, viewport: viewport, itemCount: 100)
            let (added, removed) = rectangle.move(to: 400, in: layout)!
            #expect(added == Array(axis == .vertical ? 35..<55 : 30..<70) && removed == [])
        }
    }
}
