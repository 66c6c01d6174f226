import Thumbwheel
import ThumbwheelGrid

/// Measures how often the store on disk misses, beside a store of the same bytes that evicts what was used least recently,
/// while a grid is scrolled over assets that exist only as numbers.
///
/// The grid asks for pixels through a memory cache and the library's own planner, so the look-ups are those that are left to a
/// store.
public struct EvictionTrial: Sendable {
    /// The scenario of the scroll.
    public var scenario: Scenario
    /// The length of the scroll, in seconds.
    public var seconds: Double
    /// The number of assets.
    public var assetCount: Int
    /// The number of images that the store has room for, roughly.
    public var storedCount: Int
    /// The seed of the scroll and of the simulated times.
    public var seed: UInt64

    /// Makes a trial.
    public init(scenario: Scenario, seconds: Double, assetCount: Int, storedCount: Int, seed: UInt64) {
        self.scenario = scenario
        self.seconds = seconds
        self.assetCount = assetCount
        self.storedCount = storedCount
        self.seed = seed
    }

    /// Frames are fewer than a screen has: what is looked up depends on where the view is, and hardly on how often it is drawn.
    private static let framesPerSecond = 20.0
    /// The bytes of a thumbnail's file, with all that a store keeps beside it.
    private static let fileByteCount = 12_500

    /// Plays the trial.
    ///
    /// - Parameter progress: called now and then with the fraction that has been played.
    /// - Returns: the counts of the store on disk.
    public func play(progress: (Double) -> Void = { _ in }) -> ReplayTierCounts.Tier {
        var settings = ReplaySettings(
            deliveryMode: .highQuality, framesPerSecond: Self.framesPerSecond, placeholders: .none)
        settings.tiers.storeFolder = "simulated"
        settings.tiers.storeByteLimit = storedCount * Self.fileByteCount
        settings.tiers.encoding = .jpeg(quality: 85)
        // Files take a sixteenth of the pixels' bytes, and so does the cache of this process, which would else hold them all.
        settings.budget = 8 << 20
        let layout = GridLayout(columnCount: 4, cellSide: 256, viewport: PixelSize(width: 1_024, height: 2_048))
        let trace = scenario.trace(seed: seed, layout: layout, itemCount: assetCount, seconds: seconds)
        let costs = CostModel.builtIn(seed: seed)
        let catalog = AssetCatalog(simulated: assetCount, costs: costs, settings: settings)
        var stage = VirtualStage(settings: settings, strategy: .thumbwheel, costs: costs)
        stage.addViewer(
            planner: ReplayStrategy.thumbwheel.planner(knowing: trace, assetCount: assetCount, settings: settings),
            contents: trace.laidOutContents(assetCount: assetCount), catalog: catalog)
        let frames = trace.schedule(framesPerSecond: Self.framesPerSecond)
        for (number, frame) in frames.enumerated() {
            stage.advance(to: MonotonicTime.zero.advanced(byMilliseconds: Double(number) * 1000 / Self.framesPerSecond))
            stage.show(frame, to: 0)
            if number.isMultiple(of: 4_096) { progress(Double(number) / Double(frames.count)) }
        }
        return stage.tierCounts?.store ?? ReplayTierCounts.Tier()
    }
}
