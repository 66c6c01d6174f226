import Foundation
import Thumbwheel
import ThumbwheelGrid

/// Plays a scroll over a library, on the machine's own clock, and writes down what the grid showed in every frame.
public struct ReplayPlayer: Sendable {
    public let settings: ReplaySettings
    /// What the grid shows, from the top.
    public let assets: [Asset]

    public init(settings: ReplaySettings, assets: [Asset]) {
        self.settings = settings
        self.assets = assets
    }

    /// Plays `trace`; takes as long as the trace does.
    ///
    /// - Parameter progress: called about once a second with the fraction played.
    @available(*, noasync, message: "a replay blocks its thread for as long as the trace lasts")
    public func play(
        _ trace: ScrollTrace, strategy: ReplayStrategy, scenario: Scenario? = nil, seed: UInt64 = 1,
        progress: (Double) -> Void = { _ in }
    ) -> ReplayRun {
        let manager = ImageManager(configuration: managerConfiguration(for: strategy), recordsRenders: true)
        let contents = GridContents(assets)
        let board = GridBoard(contents: contents)
        let preheater = ScrollPreheater(
            manager: CachingImageManager(manager), layout: trace.layout, assets: assets,
            targetSize: settings.targetSize,
            options: ImageRequestOptions(
                deliveryMode: settings.deliveryMode, resizeMode: .exact, allowsImmediateDelivery: true,
                executor: .inline),
            planner: strategy.planner
        ) { item, result in board.receive(result, for: item, at: .now) }

        var recorder = RunRecorder(
            ReplayRun(strategy: strategy, scenario: scenario, seed: seed, settings: settings), layout: trace.layout,
            contents: contents)
        let gauge = MemoryGauge()
        let usage = ProcessUsage.current
        let start = MonotonicTime.now
        let offsets = trace.frames(perSecond: settings.framesPerSecond)
        for (number, offset) in offsets.enumerated() {
            Self.wait(until: start.advanced(byMilliseconds: Double(number) * 1000 / settings.framesPerSecond))
            let items = recorder.beginFrame(at: offset)
            board.show(items, at: .now)
            let callStart = MonotonicTime.now
            preheater.viewportMoved(to: offset, at: callStart)
            let microseconds = MonotonicTime.now.milliseconds(since: callStart) * 1000
            recorder.endFrame(board.takePicture(), cachedByteCount: manager.statistics.cachedByteCount)
            recorder.measure { measured in
                measured.callerMicroseconds.append(microseconds)
                gauge.read(into: &measured)
            }
            if number.isMultiple(of: max(1, Int(settings.framesPerSecond))) {
                progress(Double(number) / Double(offsets.count))
            }
        }
        recorder.finishClock(seconds: MonotonicTime.now.milliseconds(since: start) / 1000)
        recorder.measure { measured in
            measured.cpuSeconds = ProcessUsage.current.cpuSeconds - usage.cpuSeconds
            gauge.finish(&measured)
        }
        let (statistics, events, end) = manager.pipeline.apply { ($0.statistics, $0.takeEvents(), $1) }
        recorder.record(events, from: start, to: end, settings: settings)
        // Jobs that still run are told to stop here, so that the next run has the machine to itself.
        let records = manager.pipeline.shutDownAndWait()
        return recorder.finish(records: records, board: board, statistics: statistics, settings: settings)
    }

    private func managerConfiguration(for strategy: ReplayStrategy) -> ImageManager.Configuration {
        ImageManager.Configuration(
            workerCount: settings.workerCount, memoryBudget: settings.budget,
            usesEmbeddedPreviews: settings.usesEmbeddedPreviews, servesNewestFirst: strategy.servesNewestFirst,
            weighsCost: strategy.weighsCost, eventCapacity: settings.eventCapacity, executor: .inline)
    }

    private static func wait(until time: MonotonicTime) {
        let left = time.milliseconds(since: .now)
        if left > 0 { Thread.sleep(forTimeInterval: left / 1000) }
    }
}
