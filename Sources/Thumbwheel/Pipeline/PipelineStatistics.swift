import ThumbwheelAssets
import ThumbwheelCore

/// Counts since the manager was made; those of the `replay` document have its names.
public struct PipelineStatistics: Sendable, Equatable {
    public struct Requests: Sendable, Equatable {
        public var submitted = 0
        /// Joined a render that another request or a window had asked for.
        public var coalesced = 0
        /// Ended with a final image.
        public var delivered = 0
        public var cancelled = 0
        public var failed = 0
        /// Made to end, or turned away, because too many were waiting.
        public var shed = 0
    }

    public struct Renders: Sendable, Equatable {
        public var started = 0
        public var finished = 0
        public var failed = 0
        /// Cut short because nobody wanted them any more.
        public var stopped = 0
        /// Cut short to make way for visible work, or to begin again for one more rendition, and queued again.
        public var preempted = 0
        /// Renditions of another size that came of the same decode as the one that a render was started for.
        public var shared = 0
        /// Of those that finished, made of a better cached rendition, without a decode.
        public var resampled = 0
        /// Renders that gave nobody anything: cut short or failed, or given up by the cache before anybody asked for them.
        public var wasted = 0
        public var wastedMilliseconds = 0.0
        /// Of all that have ended.
        public var totalMilliseconds = 0.0

        mutating func waste(_ milliseconds: Double) {
            wasted += 1
            wastedMilliseconds += milliseconds
        }
    }

    /// Look-ups are those of visible requests.
    public struct Cache: Sendable, Equatable {
        public var lookups = 0
        public var hits = 0
        public var misses: Int { lookups - hits }
        public var insertions = 0
        public var evictions = 0
        /// Bitmaps packed, and those brought back.
        public var packed = 0
        public var unpacked = 0
        public var peakByteCount = 0
    }

    /// Transfers of files over a network, by the manager's own doing.
    public struct Fetches: Sendable, Equatable {
        public var started = 0
        public var finished = 0
        public var failed = 0
        /// Cut short because nobody wanted them any more.
        public var stopped = 0
        /// Cut short to make way for visible work, and queued again.
        public var preempted = 0
        /// Bytes of those that finished.
        public var byteCount = 0
    }

    package init() {}

    public var requests = Requests()
    public var renders = Renders()
    public var cache = Cache()
    public var fetches = Fetches()
    /// From submission to the first image, degraded or final, and to the final one; requests that get none do not count.
    public internal(set) var firstImage = LatencyHistogram()
    public internal(set) var finalImage = LatencyHistogram()
    /// Bytes in use of the budget, at this moment and at most.
    public internal(set) var budgetUsedByteCount = 0
    public internal(set) var budgetPeakByteCount = 0
    /// What may be in use at this moment: less than the configured budget where memory is short.
    public internal(set) var budgetLimitByteCount = 0
    public internal(set) var memoryPressure = MemoryPressure.none
    public internal(set) var cachedByteCount = 0
    /// Of packed bitmaps, which do not count as cached.
    public internal(set) var packedByteCount = 0
    public internal(set) var queuedRenderCount = 0
    public internal(set) var runningRenderCount = 0
    public internal(set) var queuedFetchCount = 0
    public internal(set) var runningFetchCount = 0
    /// Requests that have not ended.
    public internal(set) var liveRequestCount = 0
}

/// One run of a render, for those who account for wasted work.
package struct RenderRecord: Sendable {
    package enum End: Sendable {
        case finished, failed, stopped
    }

    package let renderNumber: UInt64
    package let asset: AssetIdentifier
    package let start: MonotonicTime
    package let finish: MonotonicTime
    package let end: End
}
