import Testing
import Thumbwheel
import ThumbwheelGrid

@Suite struct OddOffsetTests {
    private static let layout = GridLayout(columnCount: 4, cellSide: 100, viewport: PixelSize(width: 400, height: 800))
    private static let itemCount = 100_000
    private static let planners: [any GridPlanner] = [
        ScrollPlanner(), StripPreheatPlanner(), IndexWindowPlanner(), RangesPlanner(),
        VisibleOnlyPlanner(cancelsWhatLeft: true),
    ]

    /// The actions of a slow scroll, a rest, a fling and another rest, after two moves and, if given, an odd offset.
    private static func actions(of planner: any GridPlanner, after odd: Double?) -> (
        atOnce: [GridAction], later: [GridAction]
    ) {
        var ledger = GridLedger(planner: planner)
        ledger.supplyChanged(to: GridSupply(millisecondsPerImage: 20, latencyMilliseconds: 40))
        var (frame, offset) = (0.0, 0.0)
        func move(to offset: Double) -> [GridAction] {
            defer { frame += 1 }
            return ledger.viewportMoved(
                to: offset, in: layout, itemCount: itemCount, at: .zero.advanced(byMilliseconds: frame * 16))
        }
        _ = move(to: 0)
        _ = move(to: 10)
        let atOnce = odd.map(move) ?? []
        // From here on, times are the same with and without an odd offset.
        frame = 3
        let speeds = [(10.0, 300), (0, 40), (400, 40), (0, 40)]
        let later = speeds.flatMap { speed, count in
            (0..<count).flatMap { _ in
                offset += speed
                return move(to: offset)
            }
        }
        return (atOnce, later)
    }

    @Test(
        "an offset that is no finite number asks for nothing and changes nothing that comes after it",
        arguments: planners.indices, [Double.nan, .infinity, -.infinity, .signalingNaN])
    func notFinite(planner index: Int, odd: Double) {
        let (atOnce, later) = Self.actions(of: Self.planners[index], after: odd)
        #expect(atOnce == [])
        #expect(later == Self.actions(of: Self.planners[index], after: nil).later)
    }

    @Test(
        "after an offset far beyond the grid a slow scroll soon has its window again", arguments: [1e300, -1e300, 1e18])
    func farAway(odd: Double) {
        var planner = ScrollPlanner()
        var grid = PlannedGrid()
        planner.supplyChanged(to: GridSupply(millisecondsPerImage: 20, latencyMilliseconds: 40))
        var frame = 0.0
        func move(to offset: Double) {
            grid.apply(
                planner.viewportMoved(
                    to: offset, in: Self.layout, itemCount: Self.itemCount,
                    at: .zero.advanced(byMilliseconds: frame * 16)))
            frame += 1
        }
        for step in 0..<60 { move(to: Double(step) * 10) }
        let before = grid.window.count
        move(to: odd)
        // A second later the jump is forgotten.
        for step in 0..<60 { move(to: Double(step) * 10) }
        #expect(grid.window.count >= before)
        #expect(grid.violations == [])
    }
}
