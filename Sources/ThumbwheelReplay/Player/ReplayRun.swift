import Thumbwheel

/// What came of playing one trace with one strategy.
public struct ReplayRun: Sendable {
    /// One frame of the run.
    public struct Frame: Sendable {
        public var counts: CellCounts
        public var cachedByteCount: Int
    }

    /// Work that was done, and the part of it whose pixels no frame ever showed.
    public struct Work: Sendable, Equatable {
        public var totalMilliseconds = 0.0
        public var wasted = 0
        public var wastedMilliseconds = 0.0
    }

    /// The second in which most was blank.
    public struct WorstSecond: Sendable, Equatable {
        /// An asset whose cell was blank then.
        public struct Cell: Sendable, Equatable {
            /// Of the replay's assets.
            public var asset: Int
            /// Frames of that second in which it was.
            public var blankFrames: Int
        }

        public var frames: Range<Int>
        public var blankCellFrames: Int
        /// Those that were blank longest, longest first.
        public var cells: [Cell]
    }

    /// What the machine did, apart from what the scroll showed.
    public struct Measurements: Sendable, Equatable {
        public var cpuSeconds = 0.0
        /// The time that the scrolling thread spent in the library, per frame.
        public var callerMicroseconds: [Double] = []
        public var peakResidentByteCount = 0
        /// By jemalloc's count, looked at once a frame; nil on other allocators.
        public var peakAllocatedByteCount: Int?
        public var idleResidentByteCount = 0
        /// The most that was resident of the library's anonymous memory: beyond the idle process, and without what the run
        /// keeps of itself. Looked at once a second; nil in simulated runs.
        public var peakLibraryByteCount: Int?
        /// The most that jemalloc held of the system's memory beyond what was allocated: pages freed and not returned yet, and
        /// what it needs itself. Looked at once a second; nil on other allocators and in simulated runs.
        public var peakAllocatorOverheadByteCount: Int?
    }

    /// What happened in the pipeline from the first frame to the moment of the statistics.
    public struct Events: Sendable, Equatable {
        public var workerCount: Int
        public var start: MonotonicTime
        public var end: MonotonicTime
        public var events: [PipelineEvent]
    }

    public var strategy: ReplayStrategy
    /// Nil for a trace that was read.
    public var scenario: Scenario?
    public var seed: UInt64
    public var framesPerSecond: Double
    public var budget: Int
    public var frames: [Frame] = []
    /// The index of the first frame after the one in which every visible cell had an image for the first time.
    public var warmStart: Int?
    public var neverFilled = 0
    public var mismatched = 0
    public var firstMilliseconds: [Double] = []
    public var firstMillisecondsWithPreview: [Double] = []
    public var finalMilliseconds: [Double] = []
    public var statistics = PipelineStatistics()
    public var work = Work()
    /// The fewest misses that a cache of the same size could have had on the same look-ups.
    public var optimumMisses = 0
    /// A bound on `counts.blank` that no strategy can stay under.
    public var blankBound = 0
    /// Nil where nothing was blank.
    public var worstSecond: WorstSecond?
    public var wallSeconds = 0.0
    public var measured = Measurements()
    /// Nil where they were not asked for.
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
