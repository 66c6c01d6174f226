import Testing
import Thumbwheel
import ThumbwheelGrid

@Suite struct LayoutRectTests {
    @Test("the strips of a difference cover what one rectangle has alone, and nothing twice", arguments: 0..<20)
    func strips(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func rect() -> LayoutRect {
            LayoutRect(
                x: Double(random.index(below: 8)), y: Double(random.index(below: 8)),
                width: Double(random.index(below: 8)), height: Double(random.index(below: 8)))
        }
        for _ in 0..<50 {
            let (one, other) = (rect(), rect())
            let strips = one.subtracting(other)
            for x in 0..<16 {
                for y in 0..<16 {
                    let cell = LayoutRect(x: Double(x), y: Double(y), width: 1, height: 1)
                    let count = strips.count { $0.intersects(cell) }
                    let isExpected = one.intersects(cell) && !other.intersects(cell)
                    #expect(count == (isExpected ? 1 : 0), "seed \(seed): \(one) without \(other)")
                }
            }
        }
    }

    @Test("rectangles that touch, are empty or have an edge that is no number do not intersect")
    func intersections() {
        let rect = LayoutRect(x: 0, y: 0, width: 10, height: 10)
        #expect(rect.intersects(LayoutRect(x: 9, y: 9, width: 5, height: 5)))
        #expect(!rect.intersects(LayoutRect(x: 10, y: 0, width: 5, height: 5)))
        #expect(!rect.intersects(LayoutRect(x: 5, y: 5, width: 0, height: 5)))
        #expect(!rect.intersects(LayoutRect(minX: .nan, minY: 0, maxX: 10, maxY: 10)))
        #expect(rect.intersects(LayoutRect(minX: -.infinity, minY: -.infinity, maxX: .infinity, maxY: .infinity)))
        #expect(rect.subtracting(rect) == [] && LayoutRect.zero.subtracting(rect) == [])
    }
}
