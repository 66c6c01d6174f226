import Thumbwheel

/// The `thumbwheel.replay/1` document.
public struct ReplayDocument: Encodable, Sendable {
    /// The requested work: runs with equal workloads can be compared.
    public struct Workload: Encodable, Sendable {
        /// The photographs.
        public var photographs: PhotographSet
        /// The number of items of the grid; photographs repeat if there are fewer of them.
        public var assets: Int
        /// The scenario's name, or `trace`.
        public var scenario: String
        /// The seed of the scenario.
        public var seed: UInt64
        /// The delivery mode: `high`, `fast` or `opportunistic`.
        public var delivery: String
        /// The clock: `real` or `virtual`.
        public var clock: String
        /// The length of the scroll in seconds.
        public var seconds: Double
        /// The number of frames per second.
        public var fps: Double
        /// The grid's columns and visible rows, as in `4x8`.
        public var grid: String
        /// The layout, if it is no plain grid, as in `justified, horizontal, spacing 4`.
        public var layout: String?
        /// The size of a cell in pixels, as in `256x256`.
        public var cell: String
        /// Whether previews in the files may be used.
        public var previews: Bool
        /// The cells that have placeholders: `seen`, `imported` or `none`.
        public var placeholders: String
        /// The number of grids that share the engine.
        public var viewers: Int
        /// The time that a provider takes to fetch a file, as it was given on the command line; nil if the files are local.
        @Nullable public var providerLatency: String?

        /// Makes a workload; the parameters are those of the command line.
        public init(
            photographs: PhotographSet, assets: Int, scenario: String, seed: UInt64, delivery: String, clock: String,
            seconds: Double, fps: Double, grid: String, layout: String? = nil, cell: String, previews: Bool,
            placeholders: Placeholders = .seen, viewers: Int = 1, providerLatency: String? = nil
        ) {
            self.photographs = photographs
            self.assets = assets
            self.scenario = scenario
            self.seed = seed
            self.delivery = delivery
            self.clock = clock
            self.seconds = seconds
            self.fps = fps
            self.grid = grid
            self.layout = layout
            self.cell = cell
            self.previews = previews
            self.placeholders = placeholders.rawValue
            self.viewers = viewers
            self.providerLatency = providerLatency
        }
    }

    /// The program that did the work, and its settings.
    public struct Engine: Encodable, Sendable {
        /// The program's name.
        public var tool = "thumbwheel"
        /// The program's version.
        public var version = ThumbwheelVersion.current
        /// The strategies that were compared, in order.
        public var strategies: [String]
        /// The number of render threads.
        public var workers: Int
        /// The memory budget in bytes.
        public var budgetBytes: Int
        /// The number of files that may be fetched over the network at once.
        public var fetches: Int
        /// The files that were decoded outside the process: `none`, `untrusted` or `all`.
        public var isolation: String

        /// Describes this program and its settings.
        public init(
            strategies: [String], workers: Int, budgetBytes: Int, fetches: Int = 4, isolation: Isolation = .none
        ) {
            self.strategies = strategies
            self.workers = workers
            self.budgetBytes = budgetBytes
            self.fetches = fetches
            self.isolation = isolation.rawValue
        }
    }

    /// The settings of a replay.
    public struct Settings: Encodable, Sendable {
        /// The requested work.
        public var workload: Workload
        /// The program that did the work, and its settings.
        public var engine: Engine

        /// Makes settings from their two parts.
        public init(workload: Workload, engine: Engine) {
            self.workload = workload
            self.engine = engine
        }
    }

    /// The name and the version of this document's format.
    public let schema = "thumbwheel.replay/1"
    /// The machine and the libraries.
    public var host: HostDescription
    /// The settings of the replay.
    public var settings: Settings
    /// One run for each strategy, in the order of the settings.
    public var runs: [Run]
    /// The same replay with one setting at several values; null if no sweep was asked for.
    @Nullable public var sweep: ReplaySweep?

    /// Makes a document from a replay's runs.
    public init(host: HostDescription, settings: Settings, runs: [ReplayRun], sweep: ReplaySweep? = nil) {
        self.host = host
        self.settings = settings
        self.runs = runs.map(Run.init)
        self.sweep = sweep
    }
}

extension ReplayDocument {
    /// One strategy's run, with the keys that the documentation of the format lists.
    public struct Run: Encodable, Sendable {
        struct Warm: Encodable, Sendable {
            var frames, cellFrames, blankCellFrames, placeholderCellFrames, degradedCellFrames, finalCellFrames: Int

            init(_ counts: CellCounts) {
                frames = counts.frames
                cellFrames = counts.cellFrames
                blankCellFrames = counts.blank
                placeholderCellFrames = counts.placeholder
                degradedCellFrames = counts.degraded
                finalCellFrames = counts.final
            }
        }

        struct Requests: Encodable, Sendable {
            var submitted, coalesced, delivered, cancelled, failed, shed: Int
        }

        struct Renders: Encodable, Sendable {
            var started, finished, stopped, preempted, wasted: Int
            var wastedMilliseconds, totalMilliseconds: Double
        }

        struct Cache: Encodable, Sendable {
            var lookups, hits, misses, optimumMisses, insertions, evictions, peakBytes, budgetBytes: Int
        }

        struct Measured: Encodable, Sendable {
            struct PerFrame: Encodable, Sendable {
                var p50, p99, max: Double
            }

            var cpuSeconds: Double
            var callerMicroseconds: PerFrame
            var peakResidentBytes: Int
            @Nullable var peakAllocatedBytes: Int?
            var idleResidentBytes: Int
            @Nullable var peakLibraryBytes: Int?
            @Nullable var peakAllocatorOverheadBytes: Int?
        }

        var strategy: String
        var scenario: String
        var seed: UInt64
        var frames, cellFrames, blankCellFrames, placeholderCellFrames, degradedCellFrames, finalCellFrames: Int
        var warm: Warm
        var neverFilled, mismatched: Int
        var firstMilliseconds, firstMillisecondsWithPreview, finalMilliseconds: Percentiles
        var requests: Requests
        var renders: Renders
        var cache: Cache
        var blankBound: Int
        var wallSeconds: Double
        var measured: Measured

        init(_ run: ReplayRun) {
            strategy = run.strategy.rawValue
            scenario = run.scenario?.rawValue ?? "trace"
            seed = run.seed
            let counts = run.counts
            frames = counts.frames
            cellFrames = counts.cellFrames
            blankCellFrames = counts.blank
            placeholderCellFrames = counts.placeholder
            degradedCellFrames = counts.degraded
            finalCellFrames = counts.final
            warm = Warm(run.warm)
            neverFilled = run.neverFilled
            mismatched = run.mismatched
            firstMilliseconds = Percentiles(of: run.firstMilliseconds)
            firstMillisecondsWithPreview = Percentiles(of: run.firstMillisecondsWithPreview)
            finalMilliseconds = Percentiles(of: run.finalMilliseconds)
            let statistics = run.statistics
            requests = Requests(
                submitted: statistics.requests.submitted, coalesced: statistics.requests.coalesced,
                delivered: statistics.requests.delivered, cancelled: statistics.requests.cancelled,
                failed: statistics.requests.failed, shed: statistics.requests.shed)
            renders = Renders(
                started: statistics.renders.started, finished: statistics.renders.finished,
                stopped: statistics.renders.stopped, preempted: statistics.renders.preempted,
                wasted: run.work.wasted, wastedMilliseconds: run.work.wastedMilliseconds.rounded(toPlaces: 3),
                totalMilliseconds: run.work.totalMilliseconds.rounded(toPlaces: 3))
            cache = Cache(
                lookups: statistics.cache.lookups, hits: statistics.cache.hits,
                misses: statistics.cache.lookups - statistics.cache.hits, optimumMisses: run.optimumMisses,
                insertions: statistics.cache.insertions, evictions: statistics.cache.evictions,
                peakBytes: statistics.cache.peakByteCount, budgetBytes: run.budget)
            blankBound = run.blankBound
            wallSeconds = run.wallSeconds.rounded(toPlaces: 3)
            let caller = Percentiles(of: run.measured.callerMicroseconds)
            measured = Measured(
                cpuSeconds: run.measured.cpuSeconds.rounded(toPlaces: 3),
                callerMicroseconds: Measured.PerFrame(p50: caller.p50, p99: caller.p99, max: caller.max),
                peakResidentBytes: run.measured.peakResidentByteCount,
                peakAllocatedBytes: run.measured.peakAllocatedByteCount,
                idleResidentBytes: run.measured.idleResidentByteCount,
                peakLibraryBytes: run.measured.peakLibraryByteCount,
                peakAllocatorOverheadBytes: run.measured.peakAllocatorOverheadByteCount)
        }
    }
}
