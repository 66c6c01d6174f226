import Thumbwheel
import ThumbwheelGrid
import ThumbwheelReplay

/// A scroll on the virtual clock, and what of it is gated.
struct CountedReplay {
    private let scenario: Scenario
    private let strategy: ReplayStrategy
    private let player: VirtualPlayer
    private let trace: ScrollTrace
    private let name: String

    private static let assetCount = 100_000
    private static let layout = GridLayout(
        columnCount: 4, cellSide: 256, viewport: PixelSize(width: 1024, height: 2048))

    init(
        _ scenario: Scenario, _ strategy: ReplayStrategy = .thumbwheel, delivery: DeliveryMode = .opportunistic,
        workers: Int = 1, seconds: Double = 60
    ) {
        self.scenario = scenario
        self.strategy = strategy
        name = "replay.\(scenario.rawValue).\(strategy.rawValue).\(delivery.rawValue).\(workers)"
        player = VirtualPlayer(
            // What images do: a cell that has a placeholder would hide that it waits for one.
            settings: ReplaySettings(deliveryMode: delivery, workerCount: workers, placeholders: .none),
            assetCount: Self.assetCount,
            costs: .builtIn(seed: 1))
        trace = scenario.trace(seed: 1, layout: Self.layout, itemCount: Self.assetCount, seconds: seconds)
    }

    /// Scrolls that are more than the workers can do, so that no figure of them is near 0.
    static let all = [
        CountedReplay(.hard), CountedReplay(.hard, delivery: .highQuality), CountedReplay(.hard, .ranges),
        CountedReplay(.hard, .requestsOnly), CountedReplay(.flyby),
        CountedReplay(.flyby, delivery: .highQuality, workers: 2), CountedReplay(.scrub, workers: 2),
    ]

    func run() -> ReplayRun { player.play(trace, strategy: strategy, scenario: scenario) }

    /// Lower is better in all of them.
    func figures() -> [CountsDocument.Figure] {
        let run = run()
        let first = Percentiles(of: run.firstMilliseconds)
        let final = Percentiles(of: run.finalMilliseconds)
        func figure(_ key: String, _ unit: FigureUnit, _ value: Double) -> CountsDocument.Figure {
            CountsDocument.Figure(name: "\(name).\(key)", unit: unit, value: value)
        }
        return [
            figure("blankCellFrames", .cellFrames, Double(run.counts.blank)),
            figure("firstMilliseconds.p99", .virtualMilliseconds, first.p99),
            figure("finalMilliseconds.p99", .virtualMilliseconds, final.p99),
            figure("renders.totalMilliseconds", .virtualMilliseconds, run.work.totalMilliseconds.rounded()),
            figure("renders.wastedMilliseconds", .virtualMilliseconds, run.work.wastedMilliseconds.rounded()),
            figure("cache.misses", .misses, Double(run.statistics.cache.lookups - run.statistics.cache.hits)),
        ]
    }
}
