import Testing
import Thumbwheel
import ThumbwheelGrid

/// How far the window reaches where it is known how fast images are made.
@Suite struct ScrollReachTests {
    /// Four columns of cells of 256 pixels, of which eight rows are seen.
    private static let layout = GridLayout(
        columnCount: 4, cellSide: 256, viewport: PixelSize(width: 1024, height: 2048))
    private static let itemCount = 40_000

    /// A view over a grid in its middle, at 60 frames a second.
    private struct View {
        var planner: ScrollPlanner
        var grid = PlannedGrid()
        var offset = 1_000_000.0
        var milliseconds = 0.0
        var actions: [GridAction] = []

        init(_ parameters: ScrollPlanner.Parameters = ScrollPlanner.Parameters(), millisecondsPerImage: Double?) {
            planner = ScrollPlanner(parameters: parameters)
            if let millisecondsPerImage { supply(millisecondsPerImage) }
        }

        mutating func supply(_ millisecondsPerImage: Double, latency: Double? = nil) {
            planner.supplyChanged(
                to: GridSupply(
                    millisecondsPerImage: millisecondsPerImage,
                    latencyMilliseconds: latency ?? millisecondsPerImage))
        }

        /// - Parameter speed: in pixels a millisecond.
        mutating func scroll(_ speed: Double, milliseconds: Double) {
            for _ in 0..<max(1, Int(milliseconds * 60 / 1000)) {
                actions = planner.viewportMoved(
                    to: offset, in: ScrollReachTests.layout, itemCount: ScrollReachTests.itemCount,
                    at: MonotonicTime.zero.advanced(byMilliseconds: self.milliseconds))
                grid.apply(actions)
                offset += speed * 1000 / 60
                self.milliseconds += 1000.0 / 60
            }
            offset -= speed * 1000 / 60
        }

        /// A fling from a speed to its rest.
        mutating func fling(_ speed: Double, milliseconds: Double) {
            var speed = speed
            for _ in 0..<Int(milliseconds * 60 / 1000) {
                scroll(speed, milliseconds: 1000.0 / 60)
                offset += speed * 1000 / 60
                for _ in 0..<17 { speed *= 0.998 }
            }
        }

        /// Rows of the window below the last visible one, and above the first.
        var rows: (below: Int, above: Int) {
            let visible = grid.requested.keys
            return ((grid.window.keys.max()! - visible.max()!) / 4, (visible.min()! - grid.window.keys.min()!) / 4)
        }
    }

    @Test("before anything is measured the window is as large as it may be")
    func unknown() {
        var view = View(millisecondsPerImage: nil)
        view.scroll(1, milliseconds: 100)
        #expect(view.rows.below == 20 && view.rows.above == 12)
    }

    @Test("the faster images are made, the less is ready beforehand, down to what one takes")
    func pace() {
        let rows = [40, 20, 13, 9, 7, 1.0].map { millisecondsPerImage in
            var view = View(millisecondsPerImage: millisecondsPerImage)
            view.scroll(1, milliseconds: 100)
            return view.rows.below
        }
        #expect(rows == rows.sorted(by: >))
        #expect(rows.first == 20)
        #expect((2...3).contains(rows.last!))
    }

    @Test("one who is prepared for faster flings has more ready, and one whose flings stop sooner less")
    func prediction() {
        func rows(_ parameters: ScrollPlanner.Parameters) -> Int {
            var view = View(parameters, millisecondsPerImage: 10)
            view.scroll(1, milliseconds: 100)
            return view.rows.below
        }
        let usual = rows(ScrollPlanner.Parameters { $0.screensAhead = 10 })
        #expect(
            rows(
                ScrollPlanner.Parameters {
                    $0.screensAhead = 10
                    $0.topSpeed = 8
                }) > usual)
        #expect(
            rows(
                ScrollPlanner.Parameters {
                    $0.screensAhead = 10
                    $0.decelerationRate = 0.99
                }) < usual)
        #expect(
            rows(
                ScrollPlanner.Parameters {
                    $0.screensAhead = 10
                    $0.caution = 3
                }) > usual)
    }

    @Test("a fling faster than expected widens the window in its very first frames")
    func fasterThanExpected() {
        var view = View(ScrollPlanner.Parameters { $0.topSpeed = 1 }, millisecondsPerImage: 8)
        view.scroll(0, milliseconds: 200)
        let before = view.rows.below
        view.scroll(12, milliseconds: 50)
        #expect(view.rows.below > before + 4)
    }

    @Test("one that moves slowly for long is prepared for less")
    func slowing() {
        var view = View(millisecondsPerImage: 12)
        view.scroll(0.5, milliseconds: 500)
        let before = view.rows.below
        view.scroll(0.5, milliseconds: 40_000)
        #expect(view.rows.below < before / 2)
    }

    @Test("where flings follow one another and images are made too slowly, all that is allowed is made ready")
    func chainedFlings() {
        var view = View(ScrollPlanner.Parameters { $0.topSpeed = 1 }, millisecondsPerImage: 14)
        for _ in 0..<6 { view.fling(9, milliseconds: 250) }
        #expect(view.rows.below == 20)
        // What they needed is remembered at rest.
        view.scroll(0, milliseconds: 2000)
        #expect(view.rows.below >= 17)
        view.scroll(0, milliseconds: 60_000)
        #expect(view.rows.below <= 8)
    }

    @Test("while the view races to another place next to nothing is made ready on the way, and as it settles it is")
    func racing() {
        var view = View(millisecondsPerImage: 20)
        view.scroll(0, milliseconds: 100)
        #expect(view.rows.below == 20)
        view.scroll(200, milliseconds: 300)
        #expect(view.rows.below <= 3)
        view.scroll(0, milliseconds: 200)
        #expect(view.rows.below == 20)
        #expect(view.grid.violations == [])
    }

    @Test("behind, the window shrinks and grows with that ahead, and both swap sides with the scroll")
    func turning() {
        var view = View(millisecondsPerImage: 12)
        view.scroll(2, milliseconds: 200)
        let down = view.rows
        #expect(down.below > down.above && down.above > 0)
        view.scroll(-2, milliseconds: 100)
        #expect(view.rows.above > view.rows.below)
        #expect(view.grid.violations == [])
    }

    @Test("a supply that trembles does not have rows go and come back")
    func trembling() {
        var view = View(millisecondsPerImage: 9)
        view.scroll(0, milliseconds: 100)
        for frame in 0..<100 {
            view.supply(9 + (frame.isMultiple(of: 2) ? 0.05 : -0.05))
            view.scroll(0, milliseconds: 16)
            let started = view.actions.filter { if case .startCaching = $0 { true } else { false } }
            if frame > 1 { #expect(started == []) }
        }
    }

    @Test(
        "where it is wanted, a view that passes images faster than they are made has cheap ones made until it settles")
    func cheapSpeed() {
        var view = View(ScrollPlanner.Parameters { $0.cheapSpeed = 1 }, millisecondsPerImage: 16)
        var switches: [Bool] = []
        for speed in [1, 3, 6, 8, 6, 3, 1.5, 0, 0.0] {
            view.scroll(speed, milliseconds: 100)
            switches.append(view.grid.allowsHighQuality)
        }
        // 64 pixels an image: four pixels a millisecond.
        #expect(switches == [true, true, false, false, false, false, true, true, true])
        var usual = View(millisecondsPerImage: 16)
        usual.scroll(20, milliseconds: 100)
        #expect(usual.grid.allowsHighQuality)
    }

    @Test("of two views the one that has come to its place later is served first, wherever in the grid it is")
    func severalViews() {
        var early = View(millisecondsPerImage: nil)
        var late = View(millisecondsPerImage: nil)
        late.offset = 5000
        early.scroll(0, milliseconds: 16)
        late.milliseconds = 2000
        late.scroll(0, milliseconds: 16)
        #expect(late.grid.requested.values.max()! < early.grid.requested.values.min()!)
        // But what waits to be made ready waits in turn: the nearest of the late one behind the farthest of the early one.
        let ahead = early.grid.window.values.filter { $0 < 0x1p40 }
        #expect(late.grid.window.values.min()! > ahead.max()!)
        #expect(late.grid.window.values.min()! < 0x1p40)
    }

    @Test("what a racing view shows comes behind all that others show, until it settles")
    func racingView() {
        var resting = View(millisecondsPerImage: nil)
        resting.scroll(0, milliseconds: 16)
        var racing = View(millisecondsPerImage: nil)
        racing.milliseconds = 1000
        racing.scroll(300, milliseconds: 200)
        let shown = resting.grid.requested.values.max()!
        #expect(racing.grid.requested.values.min()! > shown)
        racing.scroll(0, milliseconds: 200)
        #expect(racing.grid.requested.values.max()! < shown)
        #expect(racing.grid.violations == [])
    }
}

@Suite struct SupplyGaugeTests {
    private let share = ManagerShare(workerCount: 4, fetchLimit: 2, viewerCount: 2)

    private func info(render: Double, network: Double = 0) -> ImageInfo {
        var info = ImageInfo(requestID: ImageRequestID(rawValue: 1), asset: AssetIdentifier(high: 0, low: 1))
        info.renderMilliseconds = render
        info.networkMilliseconds = network
        return info
    }

    private func taken(_ gauge: inout SupplyGauge) throws -> SupplyGauge.Costs {
        let costs = gauge.takeCosts()
        return try #require(costs)
    }

    @Test("costs are averaged, told once, and shared by all who work and all who watch")
    func supply() throws {
        var gauge = SupplyGauge()
        #expect(!gauge.hasNews)
        gauge.note(info(render: 10))
        gauge.note(info(render: 30, network: 4))
        let costs = try taken(&gauge)
        #expect(!gauge.hasNews)
        #expect(share.supply(costs) == GridSupply(millisecondsPerImage: 10, latencyMilliseconds: 22))
        // Two transfers at a time for two viewers.
        for _ in 0..<200 { gauge.note(info(render: 10, network: 90)) }
        let slow = share.supply(try taken(&gauge))
        #expect(abs(slow.millisecondsPerImage - 90) < 1 && abs(slow.latencyMilliseconds - 100) < 1)
    }

    @Test("an image that nothing was rendered for tells nothing")
    func nothing() {
        var gauge = SupplyGauge()
        gauge.note(info(render: 0))
        #expect(!gauge.hasNews)
    }
}
