import Thumbwheel

/// The outcome of playing one trace with one strategy.
public struct ReplayRun: Sendable {
    /// One frame of the run.
    public struct Frame: Sendable {
        /// The states of the visible cells.
        public var counts: CellCounts
        /// The cache's bitmaps at the end of the frame, in bytes.
        public var cachedByteCount: Int
    }

    /// Work that was done, and the part of it whose pixels no frame ever showed.
    public struct Work: Sendable, Equatable {
        /// The time of all renders, in milliseconds.
        public var totalMilliseconds = 0.0
        /// The number of renders whose pixels no frame showed.
        public var wasted = 0
        /// The time of wasted and of stopped renders, in milliseconds.
        public var wastedMilliseconds = 0.0
    }

    /// The second in which most was blank.
    public struct WorstSecond: Sendable, Equatable {
        /// An asset whose cell was blank then.
        public struct Cell: Sendable, Equatable {
            /// The asset's number among the replay's assets.
            public var asset: Int
            /// Frames of that second in which it was.
            public var blankFrames: Int
        }

        /// The frames of that second.
        public var frames: Range<Int>
        /// Blank cell-frames in it.
        public var blankCellFrames: Int
        /// The cells that were blank longest, longest first.
        public var cells: [Cell]
    }

    /// The machine's share of the outcome, apart from what the scroll showed.
    public struct Measurements: Sendable, Equatable {
        /// The processor time of all threads, in seconds.
        public var cpuSeconds = 0.0
        /// The time that the scrolling thread spent in the library, per frame.
        public var callerMicroseconds: [Double] = []
        /// The most memory that the process has held since it began, in bytes.
        public var peakResidentByteCount = 0
        /// The most bytes allocated, by jemalloc's count, looked at once a frame; nil on other allocators.
        public var peakAllocatedByteCount: Int?
        /// The memory that the process held before the run, in bytes.
        public var idleResidentByteCount = 0
        /// The most that was resident of the library's anonymous memory: beyond the idle process, and without what the run
        /// keeps of itself. Looked at once a second; nil in simulated runs.
        public var peakLibraryByteCount: Int?
        /// The most that jemalloc held of the system's memory beyond what was allocated: pages freed and not returned yet, and
        /// what it needs itself. Looked at once a second; nil on other allocators and in simulated runs.
        public var peakAllocatorOverheadByteCount: Int?
    }

    /// The events of the pipeline from the first frame to the moment of the statistics.
    public struct Events: Sendable, Equatable {
        /// The number of workers, each of which is a track.
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
    /// Nil for a trace that was read.
    public var scenario: Scenario?
    /// The seed of the scenario.
    public var seed: UInt64
    /// Frames in a second.
    public var framesPerSecond: Double
    /// The memory budget in bytes.
    public var budget: Int
    /// The frames, in order.
    public var frames: [Frame] = []
    /// The index of the first frame after the one in which every visible cell had an image for the first time.
    public var warmStart: Int?
    /// Cells that came and left without any image.
    public var neverFilled = 0
    /// Images delivered to a cell that showed another asset by then: a fault, if it is not 0.
    public var mismatched = 0
    /// The times from a cell's becoming visible to its first image, in milliseconds; 0 where the image was there
    /// already.
    public var firstMilliseconds: [Double] = []
    /// The times to the first image of cells whose file has a preview, in milliseconds.
    public var firstMillisecondsWithPreview: [Double] = []
    /// The times from a cell's becoming visible to its final image, in milliseconds.
    public var finalMilliseconds: [Double] = []
    /// The manager's own counts.
    public var statistics = PipelineStatistics()
    /// The renders, useful and wasted.
    public var work = Work()
    /// The fewest misses that a cache of the same size could have had on the same look-ups.
    public var optimumMisses = 0
    /// A bound on `counts.blank` that no strategy can stay under.
    public var blankBound = 0
    /// The second with the most blank cells; nil if nothing was blank.
    public var worstSecond: WorstSecond?
    /// The time that the run took, in seconds.
    public var wallSeconds = 0.0
    /// The machine's part: processor time and memory, which differ from run to run.
    public var measured = Measurements()
    /// The events; nil if they were not asked for.
    public var events: Events?

    init(strategy: ReplayStrategy, scenario: Scenario?, seed: UInt64, settings: ReplaySettings) {
        self.strategy = strategy
        self.scenario = scenario
        self.seed = seed
        framesPerSecond = settings.framesPerSecond
        budget = settings.budget
    }

    /// All frames together.
    public var counts: CellCounts { Self.sum(frames[...]) }

    /// The frames after the first full screen was filled; none where that never happened.
    public var warm: CellCounts { Self.sum(frames[(warmStart ?? frames.count)...]) }

    private static func sum(_ frames: ArraySlice<Frame>) -> CellCounts {
        var sum = CellCounts()
        for frame in frames { sum += frame.counts }
        return sum
    }
}
