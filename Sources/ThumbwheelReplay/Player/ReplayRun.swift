import Thumbwheel

/// The outcome of playing one trace with one strategy.
public struct ReplayRun: Sendable {
    /// One frame of the run.
    public struct Frame: Sendable {
        /// The counts of visible cells by their state.
        public var counts: CellCounts
        /// The size of the cache's bitmaps at the end of the frame, in bytes.
        public var cachedByteCount: Int
    }

    /// The work of a run, and the part of it whose pixels no frame ever showed.
    public struct Work: Sendable, Equatable {
        /// The time of all renders, in milliseconds.
        public var totalMilliseconds = 0.0
        /// The number of renders whose pixels no frame showed.
        public var wasted = 0
        /// The time of wasted and of stopped renders, in milliseconds.
        public var wastedMilliseconds = 0.0
    }

    /// The second in which the most cell-frames were blank.
    public struct WorstSecond: Sendable, Equatable {
        /// An asset whose cell was blank in that second.
        public struct Cell: Sendable, Equatable {
            /// The asset's number among the replay's assets.
            public var asset: Int
            /// The number of frames of that second in which the cell was blank.
            public var blankFrames: Int
        }

        /// The frames of the worst second.
        public var frames: Range<Int>
        /// The number of blank cell-frames in that second.
        public var blankCellFrames: Int
        /// The cells that were blank in that second, those that were blank longest first.
        public var cells: [Cell]
    }

    /// The moment at which all processes of a run ended and began anew.
    public struct Restart: Sendable, Equatable {
        /// The first frame after the restart.
        public var frame: Int
        /// The number of renders that were started before.
        public var renderCountBefore: Int
        /// The first frame after the first full screen since the restart; nil if there was none.
        public var warmStart: Int?
    }

    /// Figures that depend on the machine, apart from what the scroll showed.
    public struct Measurements: Sendable, Equatable {
        /// The processor time of all threads, in seconds.
        public var cpuSeconds = 0.0
        /// The time that the scrolling thread spent in the library, per frame, in microseconds.
        public var callerMicroseconds: [Double] = []
        /// The most memory that the process has held since it began, in bytes.
        public var peakResidentByteCount = 0
        /// The most bytes allocated, by jemalloc's count, read once a frame; nil on other allocators.
        public var peakAllocatedByteCount: Int?
        /// The memory that the process held before the run, in bytes.
        public var idleResidentByteCount = 0
        /// The peak of the library's resident anonymous memory, in bytes: beyond that of the idle process, and without the
        /// run's own records. It is read once a second; nil in simulated runs.
        public var peakLibraryByteCount: Int?
        /// The most bytes of the system's memory that jemalloc held beyond the allocated ones: pages that were freed and not
        /// returned yet, and its own data. It is read once a second; nil on other allocators and in simulated runs.
        public var peakAllocatorOverheadByteCount: Int?
    }

    /// The events of the pipeline from the first frame to the moment of the statistics.
    public struct Events: Sendable, Equatable {
        /// The number of workers, each of which is a track of a time line.
        public var workerCount: Int
        /// The time of the first frame.
        public var start: MonotonicTime
        /// The time at which the statistics were taken.
        public var end: MonotonicTime
        /// The events, in order.
        public var events: [PipelineEvent]
    }

    /// The strategy that was played.
    public var strategy: ReplayStrategy
    /// The scenario that the trace comes from; nil for a trace that was read from a file.
    public var scenario: Scenario?
    /// The seed of the scenario.
    public var seed: UInt64
    /// The number of frames per second.
    public var framesPerSecond: Double
    /// The memory budget in bytes.
    public var budget: Int
    /// The frames, in order.
    public var frames: [Frame] = []
    /// The index of the first frame of the warm part: it follows the first frame in which every visible cell had an image. Nil
    /// if there was no such frame.
    public var warmStart: Int?
    /// The number of cells that came and left without any image.
    public var neverFilled = 0
    /// The number of images delivered to a cell that showed another asset by then; any number but 0 is a fault.
    public var mismatched = 0
    /// The times from a cell's becoming visible to its first image, in milliseconds; 0 if the image was there already.
    public var firstMilliseconds: [Double] = []
    /// The times to the first image of cells whose file has a preview, in milliseconds.
    public var firstMillisecondsWithPreview: [Double] = []
    /// The times from a cell's becoming visible to its final image, in milliseconds.
    public var finalMilliseconds: [Double] = []
    /// The image manager's own statistics.
    public var statistics = PipelineStatistics()
    /// The work of all renders, useful and wasted.
    public var work = Work()
    /// The fewest misses that a cache of the same size could have had on the same look-ups.
    public var optimumMisses = 0
    /// A lower bound on `counts.blank` that no strategy can stay under.
    public var blankBound = 0
    /// The second with the most blank cells; nil if nothing was blank.
    public var worstSecond: WorstSecond?
    /// The places from which the final images of all cells came.
    public var origins = ImageOrigins()
    /// The counts of the storage tiers; nil if there are none.
    public var tiers: ReplayTierCounts?
    /// The moment at which all processes ended and began anew; nil if they did not.
    public var restart: Restart?
    /// The time that the run took, in seconds.
    public var wallSeconds = 0.0
    /// The figures that depend on the machine: processor time and memory, which differ from run to run.
    public var measured = Measurements()
    /// The events of the run; nil if they were not asked for.
    public var events: Events?

    init(strategy: ReplayStrategy, scenario: Scenario?, seed: UInt64, settings: ReplaySettings) {
        self.strategy = strategy
        self.scenario = scenario
        self.seed = seed
        framesPerSecond = settings.framesPerSecond
        budget = settings.budget
    }

    /// The counts of all frames together.
    public var counts: CellCounts { Self.sum(frames[...]) }

    /// The counts of the frames after the first full screen was filled; all are 0 if that never happened.
    public var warm: CellCounts { Self.sum(frames[(warmStart ?? frames.count)...]) }

    /// The counts of the frames since the restart; all are 0 if there was none.
    public var sinceRestart: CellCounts { Self.sum(frames[(restart?.frame ?? frames.count)...]) }

    /// The counts of the frames after the first full screen since the restart; all are 0 if there was none.
    public var warmSinceRestart: CellCounts { Self.sum(frames[(restart?.warmStart ?? frames.count)...]) }

    /// The number of renders that were started since the restart; nil if there was none.
    public var renderCountSinceRestart: Int? {
        restart.map { statistics.renders.started - $0.renderCountBefore }
    }

    private static func sum(_ frames: ArraySlice<Frame>) -> CellCounts {
        var sum = CellCounts()
        for frame in frames { sum += frame.counts }
        return sum
    }
}
