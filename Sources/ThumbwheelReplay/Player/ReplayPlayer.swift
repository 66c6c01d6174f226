import Dispatch
import Foundation
import Thumbwheel
import ThumbwheelCaching
import ThumbwheelGrid

/// Plays a scroll over a library on the machine's own clock, and records what the grid showed in every frame.
public struct ReplayPlayer: Sendable {
    /// The settings of the replay: the grid, the delivery mode, the workers and the budget.
    public let settings: ReplaySettings
    /// The items of the grid, from the top.
    public let assets: [Asset]

    /// Makes a player of scrolls over some assets.
    public init(settings: ReplaySettings, assets: [Asset]) {
        self.settings = settings
        self.assets = assets
    }

    /// Plays `trace` on a thread of its own. The call takes as long as the trace lasts.
    ///
    /// - Precondition: there are at least as many assets as the trace's edits are made for.
    public func play(_ trace: ScrollTrace, strategy: ReplayStrategy) async -> ReplayRun {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: play(trace, strategy: strategy) { _ in }) }
        }
    }

    /// Plays `trace`. The call takes as long as the trace lasts.
    ///
    /// - Parameters:
    ///   - trace: The scroll.
    ///   - strategy: The way to supply the grid.
    ///   - scenario: The scenario that the trace comes from, for the document.
    ///   - seed: The seed of the scenario, for the document.
    ///   - progress: Called about once a second with the fraction of the trace that has been played.
    /// - Precondition: There are at least as many assets as the trace's edits are made for.
    @available(*, noasync, message: "a replay blocks its thread for as long as the trace lasts")
    public func play(
        _ trace: ScrollTrace, strategy: ReplayStrategy, scenario: Scenario? = nil, seed: UInt64 = 1,
        progress: (Double) -> Void = { _ in }
    ) -> ReplayRun {
        precondition(trace.assetCount ?? 0 <= assets.count, "a trace of more assets than there are")
        let manager = ImageManager(configuration: managerConfiguration(for: strategy), recordsRenders: true)
        let catalog = AssetCatalog(assets)
        let own = ReplayAssets(assets, placeholders: settings.placeholders)
        var contents = trace.laidOutContents(assetCount: assets.count)
        let board = GridBoard(catalog: catalog, list: contents.list) {
            [showsPlaceholders = settings.showsPlaceholders] in
            showsPlaceholders && own[$0].thumbHash != nil
        }
        // If items change their numbers, results and changes must come on one thread, as in a user interface.
        let screen = trace.events.isEmpty ? nil : DispatchQueue(label: "thumbwheel.replay.screen")
        let preheater = ScrollPreheater(
            manager: CachingImageManager(manager), layout: contents.layout, assets: own.shown(contents.list),
            targetSize: trace.kind == .justified ? nil : settings.targetSize,
            options: ImageRequestOptions {
                $0.deliveryMode = settings.deliveryMode
                $0.resizeMode = .exact
                $0.allowsImmediateDelivery = true
                $0.executor = screen.map { .queue($0) } ?? .inline
            },
            planner: strategy.planner(knowing: trace, assetCount: assets.count, settings: settings)
        ) { item, result in board.receive(result, for: item, at: .now) }

        let frames = trace.schedule(framesPerSecond: settings.framesPerSecond)
        var recorder = RunRecorder(
            ReplayRun(strategy: strategy, scenario: scenario, seed: seed, settings: settings),
            frameCount: frames.count, boards: [board], catalog: catalog, settings: settings)
        var gauge = MemoryGauge()
        let usage = ProcessUsage.current
        let start = MonotonicTime.now
        for (number, frame) in frames.enumerated() {
            for event in frame.edits { contents.apply(event.edit) }
            let list = contents.list
            let replaced = frame.edits.isEmpty ? nil : own.shown(list)
            Self.wait(until: start.advanced(byMilliseconds: Double(number) * 1000 / settings.framesPerSecond))
            let layout = contents.layout
            let items = layout.visibleItems(at: frame.offset)
            let microseconds = Self.run(on: screen) {
                if replaced != nil { board.replace(list) }
                board.show(items, at: .now)
                let callStart = MonotonicTime.now
                if let replaced {
                    preheater.show(replaced, layout: layout, offset: frame.offset, at: callStart)
                } else {
                    preheater.viewportMoved(to: frame.offset, at: callStart)
                }
                return MonotonicTime.now.milliseconds(since: callStart) * 1000
            }
            recorder.endFrame(
                at: MonotonicTime.now.milliseconds(since: start), cachedByteCount: manager.statistics.cachedByteCount)
            recorder.measure { measured in
                measured.callerMicroseconds.append(microseconds)
                gauge.read(into: &measured)
            }
            if number.isMultiple(of: max(1, Int(settings.framesPerSecond))) {
                let historySize = recorder.historySize(renderCount: manager.statistics.renders.started)
                recorder.measure { gauge.sample(historySize: historySize, into: &$0) }
                progress(Double(number) / Double(frames.count))
            }
        }
        recorder.finishClock(seconds: MonotonicTime.now.milliseconds(since: start) / 1000)
        recorder.measure { measured in
            measured.cpuSeconds = ProcessUsage.current.cpuSeconds - usage.cpuSeconds
            gauge.finish(&measured)
        }
        let (statistics, events, end) = manager.pipeline.apply { ($0.statistics, $0.takeEvents(), $1) }
        recorder.record(events, from: start, to: end)
        recorder.note(manager.tierCounts)
        // Jobs that still run are told to stop here, so that the next run has the machine to itself.
        let records = manager.pipeline.shutDownAndWait()
        manager.setMemoryPressure(.critical)
        let historySize = recorder.historySize(renderCount: records.count)
        recorder.measure { gauge.finishWithoutLibrary(historySize: historySize, &$0) }
        return recorder.finish(records: records, statistics: statistics)
    }

    private static func run<Result>(on queue: DispatchQueue?, _ body: () -> Result) -> Result {
        queue?.sync(execute: body) ?? body()
    }

    private func managerConfiguration(for strategy: ReplayStrategy) -> ImageManager.Configuration {
        ImageManager.Configuration {
            $0.workerCount = settings.workerCount
            $0.memoryBudget = settings.budget
            $0.usesEmbeddedPreviews = settings.usesEmbeddedPreviews
            $0.makesThumbHashes = settings.placeholders == .seen
            $0.servesNewestFirst = strategy.servesNewestFirst
            $0.weighsCost = strategy.weighsCost
            $0.packsRenditions = settings.packsRenditions
            $0.eventCapacity = settings.eventCapacity
            $0.executor = .inline
            $0.isolation = settings.isolation
            $0.decoderPath = settings.decoderPath
            $0.store = settings.tiers.storeFolder.map {
                ImageManager.Configuration.Store(folder: $0, byteLimit: settings.tiers.storeByteLimit)
            }
            $0.sharedStore = settings.tiers.sharedStore
        }
    }

    private static func wait(until time: MonotonicTime) {
        let left = time.milliseconds(since: .now)
        if left > 0 { Thread.sleep(forTimeInterval: left / 1000) }
    }
}

extension ImageManager {
    /// The counts of the manager's storage tiers; nil if it has none.
    fileprivate var tierCounts: ReplayTierCounts? {
        guard storeStatistics != nil || sharedStoreStatistics != nil else { return nil }
        var counts = ReplayTierCounts()
        counts.store = storeStatistics.map { store in
            var tier = ReplayTierCounts.Tier()
            (tier.lookups, tier.hits) = (store.hits + store.misses, store.hits)
            (tier.writes, tier.evictions, tier.byteCount) = (store.writes, store.evictions, store.byteCount)
            tier.byteLimit = configuration.store?.byteLimit ?? 0
            return tier
        }
        counts.shared = sharedStoreStatistics.map { store in
            var tier = ReplayTierCounts.Tier()
            (tier.lookups, tier.hits, tier.writes) = (store.hits + store.misses, store.hits, store.writes)
            return tier
        }
        let tiers = statistics.tiers
        (counts.claims, counts.awaited) = (tiers.claims, tiers.awaited)
        return counts
    }
}
