import Foundation
import Thumbwheel
import ThumbwheelGrid

/// Plays a scroll over a library, on the machine's own clock, and writes down what the grid showed in every frame.
public struct ReplayPlayer: Sendable {
    public struct Settings: Sendable {
        public var deliveryMode: DeliveryMode
        /// The target of every request, in pixels.
        public var targetSize: PixelSize
        public var framesPerSecond: Double
        public var workerCount: Int
        /// Bytes.
        public var budget: Int
        public var usesEmbeddedPreviews: Bool

        public init(
            deliveryMode: DeliveryMode = .opportunistic, targetSize: PixelSize = PixelSize(width: 256, height: 256),
            framesPerSecond: Double = 60, workerCount: Int = 2, budget: Int = 64 << 20,
            usesEmbeddedPreviews: Bool = true
        ) {
            self.deliveryMode = deliveryMode
            self.targetSize = targetSize
            self.framesPerSecond = framesPerSecond
            self.workerCount = workerCount
            self.budget = budget
            self.usesEmbeddedPreviews = usesEmbeddedPreviews
        }
    }

    public let settings: Settings
    /// What the grid shows, from the top.
    public let assets: [Asset]

    public init(settings: Settings, assets: [Asset]) {
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
        var run = ReplayRun(
            strategy: strategy, scenario: scenario, seed: seed, framesPerSecond: settings.framesPerSecond,
            budget: settings.budget)
        let manager = ImageManager(configuration: managerConfiguration(for: strategy), recordsRenders: true)
        let board = GridBoard(assets: assets)
        let preheater = ScrollPreheater(
            manager: CachingImageManager(manager), layout: trace.layout, assets: assets,
            targetSize: settings.targetSize,
            options: ImageRequestOptions(
                deliveryMode: settings.deliveryMode, resizeMode: .exact, allowsImmediateDelivery: true,
                executor: .inline),
            planner: strategy.planner
        ) { item, result in board.receive(result, for: item, at: .now) }

        let offsets = trace.frames(perSecond: settings.framesPerSecond)
        let allocator = AllocatorStatistics()
        run.measured.idleResidentByteCount = ProcessUsage.residentByteCounts?.now ?? 0
        let usage = ProcessUsage.current
        let start = MonotonicTime.now
        var lookups: [Int] = []
        var visible = VisibleItems()
        var visiblePerFrame: [Range<Int>] = []
        for (number, offset) in offsets.enumerated() {
            Self.wait(until: start.advanced(byMilliseconds: Double(number) * 1000 / settings.framesPerSecond))
            let items = trace.layout.visibleItems(at: offset, itemCount: assets.count)
            lookups += visible.update(to: items).arrived
            visiblePerFrame.append(items)

            let frameStart = MonotonicTime.now
            board.show(items, at: frameStart)
            let callStart = MonotonicTime.now
            preheater.viewportMoved(to: offset, at: callStart)
            run.measured.callerMicroseconds.append(MonotonicTime.now.milliseconds(since: callStart) * 1000)

            let counts = board.takePicture()
            if run.warmStart == nil, counts.blank == 0 { run.warmStart = number + 1 }
            run.frames.append(
                ReplayRun.Frame(counts: counts, cachedByteCount: manager.statistics.cachedByteCount))
            if let allocated = allocator.allocatedByteCount {
                run.measured.peakAllocatedByteCount = max(run.measured.peakAllocatedByteCount ?? 0, allocated)
            }
            if number.isMultiple(of: max(1, Int(settings.framesPerSecond))) {
                progress(Double(number) / Double(offsets.count))
            }
        }
        run.wallSeconds = MonotonicTime.now.milliseconds(since: start) / 1000
        run.measured.cpuSeconds = ProcessUsage.current.cpuSeconds - usage.cpuSeconds
        run.measured.peakResidentByteCount = ProcessUsage.residentByteCounts?.peak ?? 0
        run.statistics = manager.statistics
        // Jobs that still run are told to stop here, so that the next run has the machine to itself.
        let records = manager.pipeline.shutDownAndWait()
        run.account(for: records, board: board, lookups: lookups, visiblePerFrame: visiblePerFrame, player: self)
        return run
    }

    private func managerConfiguration(for strategy: ReplayStrategy) -> ImageManager.Configuration {
        ImageManager.Configuration(
            workerCount: settings.workerCount, memoryBudget: settings.budget,
            usesEmbeddedPreviews: settings.usesEmbeddedPreviews, servesNewestFirst: strategy.servesNewestFirst,
            executor: .inline)
    }

    private static func wait(until time: MonotonicTime) {
        let left = time.milliseconds(since: .now)
        if left > 0 { Thread.sleep(forTimeInterval: left / 1000) }
    }
}
