import Thumbwheel
import ThumbwheelGrid

/// Writes down a run frame by frame, for players on either clock.
struct RunRecorder {
    private(set) var run: ReplayRun
    /// The items that became visible, in order: the look-ups of an ideal cache.
    private(set) var lookups: [Int] = []
    private(set) var visiblePerFrame: [Range<Int>] = []
    private var visible = VisibleItems()
    private let layout: GridLayout
    private let contents: GridContents

    init(_ run: ReplayRun, layout: GridLayout, contents: GridContents) {
        self.run = run
        self.layout = layout
        self.contents = contents
    }

    /// - Returns: the items that the frame shows.
    mutating func beginFrame(at offset: Double) -> Range<Int> {
        let items = layout.visibleItems(at: offset, itemCount: contents.count)
        lookups += visible.update(to: items).arrived
        visiblePerFrame.append(items)
        return items
    }

    mutating func endFrame(_ counts: CellCounts, cachedByteCount: Int) {
        if run.warmStart == nil, counts.blank == 0 { run.warmStart = run.frames.count + 1 }
        run.frames.append(ReplayRun.Frame(counts: counts, cachedByteCount: cachedByteCount))
    }

    /// - Parameter seconds: how long the run took, on its own clock.
    mutating func finishClock(seconds: Double) {
        run.wallSeconds = seconds
    }

    /// - Parameter events: all since `start`, where the settings ask for them.
    mutating func record(
        _ events: PipelineEvents, from start: MonotonicTime, to end: MonotonicTime, settings: ReplaySettings
    ) {
        guard settings.recordsEvents else { return }
        run.events = ReplayRun.Events(
            workerCount: settings.workerCount, start: start, end: end, events: events.events)
    }

    mutating func measure(_ change: (inout ReplayRun.Measurements) -> Void) {
        change(&run.measured)
    }

    /// Works out, once a run is over, what its frames alone do not tell.
    ///
    /// - Parameter records: every run of a render.
    consuming func finish(
        records: [RenderRecord], board: GridBoard, statistics: PipelineStatistics, settings: ReplaySettings
    ) -> ReplayRun {
        run.statistics = statistics
        run.account(
            for: records, board: board, lookups: lookups, visiblePerFrame: visiblePerFrame, settings: settings,
            contents: contents)
        return run
    }
}
