import Testing
import Thumbwheel
import ThumbwheelGrid

/// The two common algorithms move their windows only after the view has moved by more than a third of a screen.
@Suite struct PreheatGateTests {
    private static let layout = GridLayout(columnCount: 1, cellSide: 10, viewport: PixelSize(width: 10, height: 300))
    private static let planners: [any GridPlanner] = [StripPreheatPlanner(), IndexWindowPlanner(itemsEachSide: 30)]
    private var grid = PlannedGrid()

    /// - Returns: whether the window moved.
    private mutating func move(_ planner: inout any GridPlanner, to offset: Double) -> Bool {
        let before = grid.window
        grid.apply(planner.viewportMoved(to: offset, in: Self.layout, itemCount: 1000, at: .zero))
        return grid.window != before
    }

    @Test(
        "a third of a screen moves nothing, the next pixel does, and the gate starts anew from there",
        arguments: planners.indices)
    mutating func gate(planner index: Int) {
        var planner = Self.planners[index]
        #expect(move(&planner, to: 1000))
        for offset in [1050.0, 1100, 1000, 950, 900] { #expect(!move(&planner, to: offset)) }
        #expect(move(&planner, to: 1101))
        #expect(!move(&planner, to: 1201))
        #expect(move(&planner, to: 1000))
        #expect(grid.violations == [])
    }

    @Test("the preheat rectangle reaches half a screen each way; its strips start and stop")
    mutating func strips() {
        var planner: any GridPlanner = StripPreheatPlanner()
        _ = move(&planner, to: 1000)
        #expect(grid.window.keys.sorted() == Array(85..<145))
        let actions = planner.viewportMoved(to: 1110, in: Self.layout, itemCount: 1000, at: .zero)
        #expect(actions.contains(.stopCaching(Array(85..<96))))
        #expect(actions.contains { if case .startCaching(Array(145..<156), _) = $0 { true } else { false } })
    }

    @Test("the index window holds the visible items and a number of items on each side, up to the last one")
    mutating func indices() {
        var planner: any GridPlanner = IndexWindowPlanner(itemsEachSide: 30)
        _ = move(&planner, to: 1000)
        #expect(grid.window.keys.sorted() == Array(70..<160))
        _ = move(&planner, to: Self.layout.maximumOffset(itemCount: 1000))
        #expect(grid.window.keys.sorted() == Array(940..<1000))
    }
}
