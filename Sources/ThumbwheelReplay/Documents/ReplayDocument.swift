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
        /// The format of the files that the grids ask for; nil for pixels.
        public var encoding: String?
        /// The number of assets whose images the stores have from the start; nil without a store.
        public var seen: Int?
        /// The time, in seconds from the start, at which all processes end and begin anew; nil for never.
        public var restartAt: Double?

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
        /// The bytes that the store on disk may take; nil if there is none.
        public var storeBytes: Int?
        /// The number of servers behind one shared store; nil without a simulated shared store.
        public var servers: Int?

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

        struct Images: Encodable, Sendable {
            var shown, inMemory, rendered, stored, shared: Int
        }

        struct Tier: Encodable, Sendable {
            var lookups, hits, misses: Int
            var leastRecentlyUsedMisses: Int?
            var writes, evictions, bytes, boundBytes: Int

            init(_ tier: ReplayTierCounts.Tier) {
                lookups = tier.lookups
                hits = tier.hits
                misses = tier.misses
                leastRecentlyUsedMisses = tier.leastRecentlyUsedHits.map { tier.lookups - $0 }
                writes = tier.writes
                evictions = tier.evictions
                bytes = tier.byteCount
                boundBytes = tier.byteLimit
            }
        }

        struct Tiers: Encodable, Sendable {
            @Nullable var store: Tier?
            @Nullable var shared: Tier?
            var claims, awaited: Int
        }

        struct Restart: Encodable, Sendable {
            var frame: Int
            /// The frames up to the first full screen; null if there was none.
            @Nullable var fillFrames: Int?
            var blankCellFrames: Int
            var warm: Warm
            var rendersStarted: Int
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
        var images: Images
        var tiers: Tiers?
        var restart: Restart?
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
            let origins = run.origins
            images = Images(
                shown: origins.count, inMemory: origins.inMemory, rendered: origins.rendered, stored: origins.stored,
                shared: origins.shared)
            tiers = run.tiers.map { tiers in
                Tiers(
                    store: tiers.store.map { Tier($0) }, shared: tiers.shared.map { Tier($0) }, claims: tiers.claims,
                    awaited: tiers.awaited)
            }
            restart = run.restart.map { restart in
                Restart(
                    frame: restart.frame, fillFrames: restart.warmStart.map { $0 - restart.frame },
                    blankCellFrames: run.sinceRestart.blank, warm: Warm(run.warmSinceRestart),
                    rendersStarted: run.renderCountSinceRestart ?? 0)
            }
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
