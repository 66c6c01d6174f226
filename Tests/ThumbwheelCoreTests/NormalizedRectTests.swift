import Testing
import ThumbwheelCore

@Suite struct NormalizedRectTests {
    @Test(
        "clamping keeps what lies inside the unit square",
        arguments: [
            (rect(0, 0, 1, 1), rect(0, 0, 1, 1)),
            (rect(0.25, 0.5, 0.5, 0.25), rect(0.25, 0.5, 0.5, 0.25)),
            (rect(-1, -1, 3, 3), rect(0, 0, 1, 1)),
            (rect(-0.5, 0, 0.75, 1), rect(0, 0, 0.25, 1)),
            (rect(0.75, 0.5, 9, 9), rect(0.75, 0.5, 0.25, 0.5)),
            (rect(0, 0, .greatestFiniteMagnitude, 1), rect(0, 0, 1, 1)),
            (rect(0.1, 0.1, 0.9, 0.9), rect(0.1, 0.1, 0.9, 0.9)),
        ])
    func clamping(given: NormalizedRect, expected: NormalizedRect) {
        #expect(given.clampedToUnitSquare == expected)
        #expect(given.isWithinUnitSquare == (given == expected))
    }

    @Test(
        "nothing is left of an empty, an outside or an unfinished rectangle",
        arguments: [
            rect(0, 0, 0, 0), rect(0, 0, 1, 0), rect(0.5, 0.5, -0.25, 0.25), rect(1, 0, 1, 1), rect(0, -1, 1, 1),
            rect(2, 2, 1, 1), rect(.nan, 0, 1, 1), rect(0, .infinity, 1, 1), rect(0, 0, .infinity, 1),
            rect(0, 0, 1, .nan), rect(-.greatestFiniteMagnitude, 0, .greatestFiniteMagnitude, 1),
            rect(.greatestFiniteMagnitude, 0, .greatestFiniteMagnitude, 1),
        ])
    func nothingLeft(given: NormalizedRect) {
        #expect(given.clampedToUnitSquare == nil)
        #expect(!given.isWithinUnitSquare)
    }

    @Test("clamping what is clamped changes nothing, and a rectangle up to the edge is inside", arguments: 0..<4)
    func clampingTwice(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10_000 {
            let given = NormalizedRect(
                x: random.value(in: -1...2), y: random.value(in: -1...2), width: random.value(in: -0.5...3),
                height: random.value(in: -0.5...3))
            if let clamped = given.clampedToUnitSquare {
                #expect(clamped.clampedToUnitSquare == clamped, "seed \(seed)")
                #expect(clamped.isWithinUnitSquare, "seed \(seed): \(given)")
            }
            let x = random.unit()
            let upToTheEdge = NormalizedRect(x: x, y: 0, width: 1 - x, height: 1)
            #expect(upToTheEdge.isWithinUnitSquare, "seed \(seed): \(upToTheEdge)")
        }
    }
}

private func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> NormalizedRect {
    NormalizedRect(x: x, y: y, width: width, height: height)
}
