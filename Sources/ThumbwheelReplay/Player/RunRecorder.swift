import Thumbwheel

/// Records a run frame by frame, for players on the real and on the virtual clock.
struct RunRecorder {
    private(set) var run: ReplayRun
    private let boards: [GridBoard]
    private let catalog: AssetCatalog
    private let settings: ReplaySettings
    /// The milliseconds from the start of the run to each frame.
    private var frameTimes: [Double] = []
    /// The indices of the screens that have not been full yet.
    private var coldBoards: Set<Int>
    /// The indices of the screens that have not been full since the restart.
    private var coldBoardsAfterRestart: Set<Int> = []

    /// - Parameter frameCount: the number of frames to come. Memory for their figures is reserved at once, because copies made
    ///   while arrays grow would show in the memory that is measured.
    init(
        _ run: ReplayRun, frameCount: Int, boards: [GridBoard], catalog: AssetCatalog, settings: ReplaySettings
    ) {
        self.run = run
        self.run.frames.reserveCapacity(frameCount)
        self.run.measured.callerMicroseconds.reserveCapacity(frameCount)
        frameTimes.reserveCapacity(frameCount)
        self.boards = boards
        self.catalog = catalog
        self.settings = settings
        coldBoards = Set(boards.indices)
    }

    /// Ends a frame, and records the cells that all screens show.
    ///
    /// - Parameter milliseconds: the time since the start.
    mutating func endFrame(at milliseconds: Double, cachedByteCount: Int) {
        var counts = CellCounts()
        for (index, board) in boards.enumerated() {
            let picture = board.takePicture()
            counts += picture
            // A placeholder does not fill a cell, so that the warm part of a run is the same with and without placeholders.
            guard picture.blank + picture.placeholder == 0 else { continue }
            if !coldBoards.isEmpty { coldBoards.remove(index) }
            if !coldBoardsAfterRestart.isEmpty { coldBoardsAfterRestart.remove(index) }
        }
        counts.frames = 1
        if run.restart != nil, run.restart?.warmStart == nil, coldBoardsAfterRestart.isEmpty {
            run.restart?.warmStart = run.frames.count + 1
        }
        if run.warmStart == nil, coldBoards.isEmpty { run.warmStart = run.frames.count + 1 }
        run.frames.append(ReplayRun.Frame(counts: counts, cachedByteCount: cachedByteCount))
        frameTimes.append(milliseconds)
    }

    /// Notes that all processes end and begin anew before the next frame.
    ///
    /// - Parameter renderCount: the number of renders that have been started up to now.
    mutating func noteRestart(renderCount: Int) {
        run.restart = ReplayRun.Restart(frame: run.frames.count, renderCountBefore: renderCount)
        coldBoardsAfterRestart = Set(boards.indices)
    }

    /// Notes the counts of the storage tiers at the end of the run.
    mutating func note(_ tiers: ReplayTierCounts?) { run.tiers = tiers }

    /// Returns the approximate number of bytes of the run's own records: those of each frame, each appearance of a cell and
    /// each render.
    func historySize(renderCount: Int) -> Int {
        let frameSize = MemoryLayout<ReplayRun.Frame>.stride + 2 * MemoryLayout<Double>.stride
        return run.frames.count * frameSize
            + boards.reduce(0) { $0 + $1.appearanceCount } * GridBoard.bytesPerAppearance
            + renderCount * (MemoryLayout<RenderRecord>.stride + MemoryLayout<UInt64>.stride)
    }

    /// Notes the length of the run.
    ///
    /// - Parameter seconds: the time that the run took, on its own clock.
    mutating func finishClock(seconds: Double) {
        run.wallSeconds = seconds
    }

    /// - Parameter events: all events since `start`; they are dropped unless the settings ask for them.
    mutating func record(_ events: PipelineEvents, from start: MonotonicTime, to end: MonotonicTime) {
        guard settings.recordsEvents else { return }
        run.events = ReplayRun.Events(
            workerCount: settings.workerCount, start: start, end: end, events: events.events)
    }

    mutating func measure(_ change: (inout ReplayRun.Measurements) -> Void) {
        change(&run.measured)
    }

    /// Ends the recording, and computes the figures that do not follow from the run's frames alone.
    ///
    /// - Parameter records: the records of all renders.
    consuming func finish(records: [RenderRecord], statistics: PipelineStatistics) -> ReplayRun {
        run.statistics = statistics
        run.account(
            for: records, screens: boards.map { $0.finish() }, frameTimes: frameTimes, settings: settings,
            catalog: catalog)
        return run
    }
}
