import Foundation
import Testing
import Thumbwheel
import ThumbwheelGrid

@testable import ThumbwheelReplay

@Suite("VirtualPlayer")
struct VirtualPlayerTests {
    private let layout = GridLayout(columnCount: 4, cellSide: 256, viewport: PixelSize(width: 1024, height: 2048))

    private func play(
        _ strategy: ReplayStrategy, scenario: Scenario = .hard, seed: UInt64 = 3, seconds: Double = 20,
        delivery: DeliveryMode = .highQuality, workers: Int = 2, budget: Int = 64 << 20,
        placeholders: Placeholders = .seen
    ) -> ReplayRun {
        let settings = ReplaySettings(
            deliveryMode: delivery, workerCount: workers, budget: budget, placeholders: placeholders)
        let trace = scenario.trace(seed: seed, layout: layout, itemCount: 20_000, seconds: seconds)
        return VirtualPlayer(settings: settings, assetCount: 20_000, costs: .builtIn(seed: seed))
            .play(trace, strategy: strategy, scenario: scenario, seed: seed)
    }

    /// The run as its document has it, without what the machine did.
    private func document(_ run: ReplayRun) throws -> NSDictionary {
        var run = run
        run.measured = ReplayRun.Measurements()
        let data = try DocumentCoding.encode(ReplayDocument.Run(run))
        return try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
    }

    @Test("equal arguments give equal documents", arguments: ReplayStrategy.allCases)
    func determinism(_ strategy: ReplayStrategy) throws {
        #expect(try document(play(strategy)) == document(play(strategy)))
        #expect(try document(play(strategy)) != document(play(strategy, seed: 4)))
    }

    @Test(
        "in every frame what is used fits the budget, or is what the screen holds and one render",
        arguments: Scenario.allCases, [2 << 20, 8 << 20])
    func accounting(_ scenario: Scenario, budget: Int) {
        for seed in 1...3 as ClosedRange<UInt64> {
            let settings = ReplaySettings(deliveryMode: .opportunistic, workerCount: 3, budget: budget)
            let trace = scenario.trace(seed: seed, layout: layout, itemCount: 20_000, seconds: 4)
            let catalog = AssetCatalog(simulated: 20_000, costs: .builtIn(seed: seed), settings: settings)
            var stage = VirtualStage(settings: settings, strategy: .thumbwheel, costs: .builtIn(seed: seed))
            stage.addViewer(
                planner: ReplayStrategy.thumbwheel.planner(knowing: trace, assetCount: 20_000, settings: settings),
                contents: trace.laidOutContents(assetCount: 20_000), catalog: catalog)
            // Each cell holds one image, the larger at worst; those that left this frame are looked at in the next.
            let imageByteCount = settings.targetSize.pixelCount * 3
            var cellCount = 0
            for frame in trace.schedule(framesPerSecond: 60) {
                stage.show(frame, to: 0)
                let before = cellCount
                cellCount = layout.visibleItems(at: frame.offset, itemCount: 20_000).count
                let screen = (before + cellCount) * imageByteCount
                let statistics = stage.statistics
                #expect(
                    statistics.budgetUsedByteCount <= max(budget, screen + VirtualStage.renderByteCount(for: settings)),
                    "seed \(seed)")
                stage.advance(to: stage.now.advanced(byMilliseconds: 1000.0 / 60))
            }
            #expect(stage.statistics.cache.insertions > 0)
        }
    }

    private static let plays: [(ReplayStrategy, Scenario, DeliveryMode)] = ReplayStrategy.allCases.flatMap { strategy in
        Scenario.allCases.flatMap { scenario in
            [DeliveryMode.opportunistic, .highQuality].map { (strategy, scenario, $0) }
        }
    }

    @Test("what a run counts adds up, and no cell gets another asset\u{2019}s image", arguments: plays)
    func sums(_ strategy: ReplayStrategy, _ scenario: Scenario, _ delivery: DeliveryMode) {
        let run = play(
            strategy, scenario: scenario, seconds: 5, delivery: delivery, workers: 1, budget: 16 << 20)
        let requests = run.statistics.requests
        let renders = run.statistics.renders
        #expect(run.frames.count == 300)
        #expect(run.mismatched == 0)
        #expect(run.blankBound <= run.counts.blank)
        #expect(run.statistics.cache.peakByteCount <= 16 << 20)
        #expect(requests.submitted == requests.delivered + requests.cancelled + run.statistics.liveRequestCount)
        #expect(
            renders.started == renders.finished + renders.stopped + renders.preempted
                + run.statistics.runningRenderCount)
        // Without prefetching a cache can do no better. Requests that go on as the contents change are looked up once.
        if strategy == .requestsOnly, scenario != .growing, scenario != .mixed, delivery == .highQuality {
            #expect(run.optimumMisses <= run.statistics.cache.lookups - run.statistics.cache.hits)
        }
        #expect(run.work.wastedMilliseconds <= run.work.totalMilliseconds)
        if delivery == .highQuality { #expect(run.counts.degraded == 0) }
    }

    @Test("a window leaves fewer holes than no window, with the same renderer, budget and order of the scroll")
    func windowsHelp() {
        var blanks: [ReplayStrategy: Int] = [:]
        for seed in UInt64(1)...3 {
            for strategy in [ReplayStrategy.thumbwheel, .naive] {
                blanks[strategy, default: 0] += play(strategy, scenario: .brisk, seed: seed).warm.blank
            }
        }
        #expect(blanks[.naive]! > 0)
        #expect(blanks[.thumbwheel]! * 2 < blanks[.naive]!)
    }

    @Test("who knows the trace leaves fewer holes than who does not, where there is too much to do")
    func foresight() {
        for scenario in [Scenario.hard, .scrub, .flyby, .albums, .mixed] {
            let (known, unknown) = (
                play(.clairvoyant, scenario: scenario, workers: 1), play(.thumbwheel, scenario: scenario, workers: 1)
            )
            #expect(known.warm.blank < unknown.warm.blank, "\(scenario)")
        }
    }

    @Test("a library that changes costs no more than what has changed")
    func growing() {
        let run = play(.thumbwheel, scenario: .growing, seconds: 60)
        #expect(run.mismatched == 0)
        // Of some hundreds of changes each renumbers the whole screen: it is not asked for anew.
        let trace = Scenario.growing.trace(seed: 3, layout: layout, itemCount: 20_000, seconds: 60)
        #expect(trace.events.count > 200)
        #expect(run.statistics.requests.submitted < 20 * trace.events.count)
    }

    @Test(
        "placeholders fill cells and change nothing else; with all of them no cell is ever blank",
        arguments: Scenario.allCases)
    func placeholders(scenario: Scenario) {
        func play(_ placeholders: Placeholders, _ delivery: DeliveryMode = .opportunistic) -> ReplayRun {
            self.play(
                .thumbwheel, scenario: scenario, delivery: delivery, workers: 1, budget: 8 << 20,
                placeholders: placeholders)
        }
        let (without, seen, imported) = (play(.none), play(.seen), play(.imported))
        #expect(without.counts.placeholder == 0)
        #expect(imported.counts.blank == 0 && imported.counts.placeholder == without.counts.blank)
        #expect(seen.counts.blank + seen.counts.placeholder == without.counts.blank)
        for run in [seen, imported] {
            #expect(run.counts.degraded == without.counts.degraded && run.counts.final == without.counts.final)
            #expect(run.counts.cellFrames == without.counts.cellFrames && run.warmStart == without.warmStart)
            #expect(run.blankBound <= run.counts.blank && run.neverFilled == without.neverFilled)
            #expect(run.firstMilliseconds == without.firstMilliseconds)
        }
        // Finals alone.
        #expect(play(.imported, .highQuality).counts.placeholder == 0)
    }

    @Test("an asset that has been decoded is never blank again")
    func seenOnce() {
        // Small enough a cache that nearly all of it has to be made anew on the way back.
        let run = play(.requestsOnly, scenario: .flyby, delivery: .opportunistic, workers: 1, budget: 2 << 20)
        let without = play(
            .requestsOnly, scenario: .flyby, delivery: .opportunistic, workers: 1, budget: 2 << 20, placeholders: .none)
        #expect(run.counts.placeholder > 0 && run.counts.blank < without.counts.blank)
    }

    @Test("the worst second is where most was blank, and names the assets that were")
    func worstSecond() throws {
        let run = play(.requestsOnly, workers: 1)
        let worst = try #require(run.worstSecond)
        #expect(worst.frames.count == 60 && worst.frames.lowerBound >= run.warmStart!)
        func blank(_ frames: Range<Int>) -> Int { run.frames[frames].reduce(0) { $0 + $1.counts.blank } }
        #expect(worst.blankCellFrames == blank(worst.frames))
        #expect((run.warmStart!...run.frames.count - 60).allSatisfy { blank($0..<$0 + 60) <= worst.blankCellFrames })
        #expect(worst.cells.allSatisfy { (1...60).contains($0.blankFrames) })
        #expect(worst.cells.reduce(0) { $0 + $1.blankFrames } <= worst.blankCellFrames)
    }

    @Test("viewers share a cache: of one place in the library no image is made twice")
    func viewers() {
        let trace = Scenario.gentle.trace(seed: 1, layout: layout, itemCount: 20_000, seconds: 10)
        let player = VirtualPlayer(
            settings: ReplaySettings(deliveryMode: .highQuality), assetCount: 20_000, costs: .builtIn(seed: 1))
        let (one, five) = (
            player.play(trace, strategy: .thumbwheel),
            player.play(Array(repeating: trace, count: 5), strategy: .thumbwheel)
        )
        #expect(five.counts.cellFrames == 5 * one.counts.cellFrames)
        #expect(five.statistics.requests.submitted == 5 * one.statistics.requests.submitted)
        // Of five each counts on a fifth of the workers, and has more ready.
        let renders = five.statistics.renders
        #expect(renders.started >= one.statistics.renders.started && renders.started == renders.finished)
        #expect(five.statistics.cachedByteCount == renders.finished * player.settings.targetSize.pixelCount * 3)
        #expect(five.blankBound >= one.blankBound && five.blankBound <= five.counts.blank)
    }

    @Test("files that come over a network leave more blank, the more so the fewer come at once")
    func provider() {
        func blank(_ latency: LatencyModel?, fetchLimit: Int) -> Int {
            let settings = ReplaySettings(
                deliveryMode: .highQuality, fetchLimit: fetchLimit, providerLatency: latency)
            let trace = Scenario.hard.trace(seed: 1, layout: layout, itemCount: 20_000, seconds: 10)
            let run = VirtualPlayer(settings: settings, assetCount: 20_000, costs: .builtIn(seed: 1))
                .play(trace, strategy: .thumbwheel)
            #expect(run.mismatched == 0)
            return run.counts.blank
        }
        let latency = LatencyModel(medianMilliseconds: 80, sigma: 0.6)
        let (near, far, farther) = (
            blank(nil, fetchLimit: 4), blank(latency, fetchLimit: 16), blank(latency, fetchLimit: 4)
        )
        #expect(near < far && far < farther)
    }

    @Test("the view moves over a grid smaller than a screen, and over none")
    func smallGrids() {
        for count in [1, 3, 31] {
            let trace = Scenario.brisk.trace(seed: 1, layout: layout, itemCount: count, seconds: 2)
            let run = VirtualPlayer(settings: ReplaySettings(), assetCount: count, costs: .builtIn(seed: 1))
                .play(trace, strategy: .thumbwheel)
            #expect(run.frames.last?.counts.final == count)
        }
    }
}
