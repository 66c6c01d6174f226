import Testing
import Thumbwheel
import ThumbwheelGrid

@Suite struct ScrollPlannerTests {
    /// One column, ten rows on the screen: an item's number is its row.
    private let layout = GridLayout(columnCount: 1, cellSide: 10, viewport: PixelSize(width: 10, height: 100))
    private let itemCount = 1000
    private var planner = ScrollPlanner()
    private var grid = PlannedGrid()

    /// Moves the viewport so that `row` is the first one.
    @discardableResult
    private mutating func move(to row: Double) -> [GridAction] {
        let actions = planner.viewportMoved(to: row * 10, in: layout, itemCount: itemCount, at: .zero)
        grid.apply(actions)
        return actions
    }

    @Test("what arrives is requested, what leaves is cancelled")
    mutating func arrivalsAndLeavers() {
        move(to: 100)
        #expect(grid.requested.keys.sorted() == Array(100..<110))
        let actions = move(to: 103)
        #expect(actions.filter(Self.isRequest).count == 3)
        #expect(actions.prefix(3) == [.cancel(100), .cancel(101), .cancel(102)])
        #expect(grid.requested.keys.sorted() == Array(103..<113))
        move(to: 500)
        #expect(grid.requested.keys.sorted() == Array(500..<510))
        #expect(grid.violations == [])
    }

    @Test("the item nearest to the edge that the scroll reveals is the most urgent, both ways")
    mutating func urgency() {
        move(to: 100)
        move(to: 101)
        #expect(Self.order(grid.requested) == Array((101..<111).reversed()))
        move(to: 99)
        #expect(Self.order(grid.requested) == Array(99..<109))
        move(to: 100)
        #expect(Self.order(grid.requested) == Array((100..<110).reversed()))
        #expect(grid.violations == [])
    }

    @Test("the window is 2.5 screens ahead and 1.5 behind, and turns with the scroll")
    mutating func windowSize() {
        move(to: 100)
        #expect(grid.window.keys.sorted() == Array(85..<135))
        move(to: 99)
        #expect(grid.window.keys.sorted() == Array(74..<124))
        move(to: 100)
        #expect(grid.window.keys.sorted() == Array(85..<135))
        #expect(grid.violations == [])
    }

    @Test("the window is cut off at both ends of the grid")
    mutating func ends() {
        move(to: 0)
        #expect(grid.window.keys.sorted() == Array(0..<35))
        move(to: 990)
        #expect(grid.window.keys.sorted() == Array(975..<1000))
        #expect(grid.violations == [])
    }

    @Test("in the window those ahead come first, the nearest first, then those behind, likewise")
    mutating func windowOrder() {
        move(to: 100)
        move(to: 101)
        #expect(grid.windowOrder == Array(101..<136) + (86..<101).reversed())
        move(to: 100)
        #expect(grid.windowOrder == Array((75..<110).reversed()) + Array(110..<125))
        #expect(grid.violations == [])
    }

    @Test("where nothing moved nothing is said, and the window is kept at rest")
    mutating func rest() {
        move(to: 100)
        move(to: 120)
        let window = grid.window
        #expect(move(to: 120) == [])
        #expect(move(to: 120) == [])
        #expect(grid.window == window)
    }

    @Test("a step that reveals nothing new says nothing, and one that does speaks only of that")
    mutating func steps() {
        move(to: 100.25)
        #expect(move(to: 100.3) == [])
        #expect(move(to: 100.4) == [])
        let spoken = move(to: 101.4).reduce(0) { count, action in
            if case .startCaching(let items, _) = action { count + items.count } else { count }
        }
        // One that comes into the window ahead, one that goes from the screen to the part behind.
        #expect(spoken == 2)
    }

    @Test("however the view moves, requests are what is visible and the window what surrounds it", arguments: 0..<20)
    mutating func randomMoves(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let columns = 1 + random.index(below: 5)
        let layout = GridLayout(
            columnCount: columns, cellSide: 10, viewport: PixelSize(width: 10 * columns, height: 95))
        let itemCount = random.index(below: 600)
        var offset = 0.0
        var isDown = true
        for step in 0..<300 {
            let stride = [0, 1, 7, 60, 400][random.index(below: 5)]
            var next = offset + random.value(in: -1...1) * Double(stride)
            next = min(max(next, -30), layout.maximumOffset(itemCount: itemCount) + 30)
            if step > 0, next != offset { isDown = next > offset }
            offset = next
            grid.apply(planner.viewportMoved(to: offset, in: layout, itemCount: itemCount, at: .zero))
            let (above, below) = isDown ? (1.5, 2.5) : (2.5, 1.5)
            let visible = layout.visibleItems(at: offset, itemCount: itemCount)
            let window = Array(
                layout.items(from: offset - above * 95, to: offset + 95 + below * 95, itemCount: itemCount))
            #expect(grid.requested.keys.sorted() == Array(visible), "seed \(seed), step \(step)")
            #expect(grid.window.keys.sorted() == window, "seed \(seed), step \(step)")
            #expect(grid.violations == [], "seed \(seed), step \(step)")
            let rows = Self.order(grid.requested).map { layout.row(ofItem: $0) }
            #expect(rows == (isDown ? rows.sorted(by: >) : rows.sorted()), "seed \(seed), step \(step)")
            let reference = Self.windowOrder(visible: visible, window: window, isDown: isDown)
            #expect(grid.windowOrder == reference, "seed \(seed), step \(step)")
        }
    }

    private static func windowOrder(visible: Range<Int>, window: [Int], isDown: Bool) -> [Int] {
        isDown
            ? window.filter { $0 >= visible.lowerBound } + window.filter { $0 < visible.lowerBound }.reversed()
            : window.filter { $0 < visible.upperBound }.reversed() + window.filter { $0 >= visible.upperBound }
    }

    /// The items by urgency.
    private static func order(_ requested: [Int: Double]) -> [Int] {
        requested.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    }

    private static func isRequest(_ action: GridAction) -> Bool {
        if case .request = action { true } else { false }
    }
}
