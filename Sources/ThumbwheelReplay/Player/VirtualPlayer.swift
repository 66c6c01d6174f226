import Thumbwheel

/// Plays scrolls on a virtual clock. The library's pipeline value and the strategy's planner are the real ones, and renders
/// take the times that a cost model states.
///
/// Equal arguments give equal runs, on any number of processors and however busy they are; an hour of scrolling takes seconds.
public struct VirtualPlayer: Sendable {
    /// The settings of the replay: the grid, the delivery mode, the simulated workers and the budget.
    public let settings: ReplaySettings
    /// The number of assets, which exist only as numbers.
    public let assetCount: Int
    /// The time that each render takes.
    public let costs: CostModel

    /// Makes a player of scrolls over assets that exist only as numbers.
    public init(settings: ReplaySettings, assetCount: Int, costs: CostModel) {
        self.settings = settings
        self.assetCount = assetCount
        self.costs = costs
    }

    /// Plays one trace; see `play(_:strategy:scenario:seed:progress:)` for several.
    public func play(
        _ trace: ScrollTrace, strategy: ReplayStrategy, scenario: Scenario? = nil, seed: UInt64 = 1,
        progress: (Double) -> Void = { _ in }
    ) -> ReplayRun {
        play([trace], strategy: strategy, scenario: scenario, seed: seed, progress: progress)
    }

    /// Plays several traces at once: viewers that share one pipeline, with its workers, its cache and its budget.
    ///
    /// - Parameters:
    ///   - traces: One scroll for each viewer. Where there are several servers, viewers are spread over them in turn. A frame counts once for all viewers, with the cells of all of them.
    ///   - strategy: The way to supply each grid.
    ///   - scenario: The scenario that the traces come from, for the document.
    ///   - seed: The seed of the scenario, for the document.
    ///   - progress: Called now and then with the fraction of the traces that has been played.
    /// - Precondition: There is at least one trace.
    public func play(
        _ traces: [ScrollTrace], strategy: ReplayStrategy, scenario: Scenario? = nil, seed: UInt64 = 1,
        progress: (Double) -> Void = { _ in }
    ) -> ReplayRun {
        let catalog = AssetCatalog(simulated: assetCount, costs: costs, settings: settings)
        var stage = VirtualStage(settings: settings, strategy: strategy, costs: costs)
        for trace in traces {
            stage.addViewer(
                planner: strategy.planner(knowing: trace, assetCount: assetCount, settings: settings),
                contents: trace.laidOutContents(assetCount: assetCount), catalog: catalog)
        }
        let schedules = traces.map { $0.schedule(framesPerSecond: settings.framesPerSecond) }
        let frameCount = schedules.map(\.count).max() ?? 0
        var recorder = RunRecorder(
            ReplayRun(strategy: strategy, scenario: scenario, seed: seed, settings: settings), frameCount: frameCount,
            boards: stage.viewers.map(\.board), catalog: catalog, settings: settings)
        let restartFrame = settings.tiers.restartMilliseconds.map {
            Int(($0 / 1000 * settings.framesPerSecond).rounded(.up))
        }
        let gauge = MemoryGauge()
        let usage = ProcessUsage.current
        for number in 0..<frameCount {
            let milliseconds = Double(number) * 1000 / settings.framesPerSecond
            stage.advance(to: MonotonicTime.zero.advanced(byMilliseconds: milliseconds))
            if number == restartFrame {
                recorder.noteRestart(renderCount: stage.statistics.renders.started)
                stage.restart { viewer in
                    strategy.planner(knowing: traces[viewer], assetCount: assetCount, settings: settings)
                }
            }
            let callStart = MonotonicTime.now
            for (viewer, schedule) in schedules.enumerated() where number < schedule.count {
                stage.show(schedule[number], to: viewer)
            }
            let microseconds = MonotonicTime.now.milliseconds(since: callStart) * 1000
            recorder.measure { $0.callerMicroseconds.append(microseconds) }
            recorder.endFrame(at: milliseconds, cachedByteCount: stage.cachedByteCount)
            if number.isMultiple(of: max(1, Int(settings.framesPerSecond) * 60)) {
                progress(Double(number) / Double(frameCount))
            }
        }
        recorder.finishClock(seconds: Double(frameCount) / settings.framesPerSecond)
        recorder.measure { measured in
            measured.cpuSeconds = ProcessUsage.current.cpuSeconds - usage.cpuSeconds
            gauge.finish(&measured)
        }
        let statistics = stage.statistics
        recorder.note(stage.tierCounts)
        recorder.record(stage.takeEvents(), from: .zero, to: stage.now)
        return recorder.finish(records: stage.close(), statistics: statistics)
    }
}
