import Thumbwheel
import ThumbwheelGrid

/// Plays a scroll on a clock of its own: the library's pipeline value and the strategy's planner are the real ones, renders
/// take what a cost model says.
///
/// Equal arguments give equal runs, on any number of processors and however busy they are; an hour takes seconds.
public struct VirtualPlayer: Sendable {
    public let settings: ReplaySettings
    /// Assets in the grid; they exist only as numbers.
    public let assetCount: Int
    public let costs: CostModel

    public init(settings: ReplaySettings, assetCount: Int, costs: CostModel) {
        self.settings = settings
        self.assetCount = assetCount
        self.costs = costs
    }

    public func play(
        _ trace: ScrollTrace, strategy: ReplayStrategy, scenario: Scenario? = nil, seed: UInt64 = 1,
        progress: (Double) -> Void = { _ in }
    ) -> ReplayRun {
        let contents = GridContents(simulated: assetCount, costs: costs)
        let board = GridBoard(contents: contents)
        var stage = VirtualStage(settings: settings, strategy: strategy, costs: costs, board: board)
        var planner = strategy.planner
        var recorder = RunRecorder(
            ReplayRun(strategy: strategy, scenario: scenario, seed: seed, settings: settings), layout: trace.layout,
            contents: contents)
        let gauge = MemoryGauge()
        let usage = ProcessUsage.current
        let offsets = trace.frames(perSecond: settings.framesPerSecond)
        for (number, offset) in offsets.enumerated() {
            let time = MonotonicTime.zero.advanced(byMilliseconds: Double(number) * 1000 / settings.framesPerSecond)
            stage.advance(to: time)
            let items = recorder.beginFrame(at: offset)
            board.show(items, at: time)
            let callStart = MonotonicTime.now
            let actions = planner.viewportMoved(to: offset, in: trace.layout, itemCount: assetCount, at: time)
            stage.perform(actions)
            let microseconds = MonotonicTime.now.milliseconds(since: callStart) * 1000
            recorder.measure { $0.callerMicroseconds.append(microseconds) }
            recorder.endFrame(board.takePicture(), cachedByteCount: stage.pipeline.cachedByteCount)
            if number.isMultiple(of: max(1, Int(settings.framesPerSecond) * 60)) {
                progress(Double(number) / Double(offsets.count))
            }
        }
        recorder.finishClock(seconds: Double(offsets.count) / settings.framesPerSecond)
        recorder.measure { measured in
            measured.cpuSeconds = ProcessUsage.current.cpuSeconds - usage.cpuSeconds
            gauge.finish(&measured)
        }
        let statistics = stage.pipeline.statistics
        recorder.record(stage.takeEvents(), from: .zero, to: stage.now, settings: settings)
        return recorder.finish(
            records: stage.close(), board: board, statistics: statistics, settings: settings)
    }
}
