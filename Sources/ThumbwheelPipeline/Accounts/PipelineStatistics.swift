import ThumbwheelCore

/// Counts since the manager was made, and sizes at this moment. The command `thumbwheel replay` writes JSON documents
/// that use the same names for these numbers.
public struct PipelineStatistics: Sendable, Equatable {
    /// Counts of requests.
    public struct Requests: Sendable, Equatable {
        /// All requests, including those that were refused at once.
        public var submitted = 0
        /// Requests that joined a render that another request or a caching manager had asked for.
        public var coalesced = 0
        /// Requests that ended with a final image.
        public var delivered = 0
        /// Requests that were cancelled.
        public var cancelled = 0
        /// Requests that ended with an error other than `.overloaded`.
        public var failed = 0
        /// Requests that were ended or turned away because too many requests were waiting.
        public var shed = 0
    }

    /// Counts of renders.
    public struct Renders: Sendable, Equatable {
        /// Renders that began on a worker.
        public var started = 0
        /// Renders that ended with an image.
        public var finished = 0
        /// Renders that ended with an error.
        public var failed = 0
        /// Renders that were cut short, because no request and no caching manager wanted their images any more.
        public var stopped = 0
        /// Renders that were cut short and queued again. A render is cut short to make way for a more urgent one, or
        /// because its decode is restarted to make one more rendition. A render is also queued again if its image is
        /// wanted again after the render has been told to stop.
        public var preempted = 0
        /// Renditions that came out of a decode in addition to the one rendition for which the decode was started.
        public var shared = 0
        /// Renders that were not begun, because an earlier one has found that the file cannot be rendered: it is
        /// damaged, or it crashes its decoder.
        public var spared = 0
        /// Finished renders that resampled a larger cached image instead of decoding the photograph.
        public var resampled = 0
        /// Renders whose work was wasted: they were cut short or failed, or their image left the cache before any
        /// request had used it.
        public var wasted = 0
        /// The time, in milliseconds, of renders whose work was wasted: they were cut short or failed, or their image
        /// left the cache before any request had used it.
        public var wastedMilliseconds = 0.0
        /// The time of all renders that have ended, in milliseconds.
        public var totalMilliseconds = 0.0

        mutating func waste(_ milliseconds: Double) {
            wasted += 1
            wastedMilliseconds += milliseconds
        }
    }

    /// Counts of the cache. Only requests of visible images (priority `.userInitiated`) count as look-ups.
    public struct Cache: Sendable, Equatable {
        /// Requests with the priority `.userInitiated` that looked for their image in the cache.
        public var lookups = 0
        /// Look-ups that found the image.
        public var hits = 0
        /// Look-ups that did not find the image.
        public var misses: Int { lookups - hits }
        /// Images that entered the cache.
        public var insertions = 0
        /// Images that the cache evicted.
        public var evictions = 0
        /// Bitmaps that were packed, that is, compressed without loss into fewer bytes.
        public var packed = 0
        /// Packed bitmaps that were turned back into pixels.
        public var unpacked = 0
        /// The largest number of bytes that cached images have taken at any moment. Packed bitmaps are not counted.
        public var peakByteCount = 0
    }

    /// Counts of fetches. A fetch is a transfer of a file, or of a part of a file, that the manager makes over a
    /// network. Transfers that the program using this library makes without the manager are not counted.
    public struct Fetches: Sendable, Equatable {
        /// Fetches that began.
        public var started = 0
        /// Fetches that ended with all bytes.
        public var finished = 0
        /// Fetches that ended with an error.
        public var failed = 0
        /// Fetches that were cut short, because no render wanted their bytes any more.
        public var stopped = 0
        /// Fetches that were cut short and queued again: they made way for the fetch of a visible image, or were wanted
        /// again after they had been told to stop.
        public var preempted = 0
        /// Bytes of the fetches that finished.
        public var byteCount = 0
    }

    /// Counts of the storage tiers, which keep renditions on a disk, and in a store that servers share.
    public struct Tiers: Sendable, Equatable {
        /// Look-ups that a storage tier has answered.
        public var lookups = 0
        /// Look-ups that found the image.
        public var hits = 0
        /// Look-ups that found, in place of the image, a record that the image cannot be made from its file.
        public var refusals = 0
        /// Look-ups that found the image in the store that servers share; `hits` includes them.
        public var sharedHits = 0
        /// Images for which the manager has asked whether another server is making them.
        public var claims = 0
        /// Images for which the manager has waited until another server had made them.
        public var awaited = 0
    }

    package init() {}

    /// Requests, by how they ended.
    public var requests = Requests()
    /// Renders, by how they ended.
    public var renders = Renders()
    /// Look-ups and contents of the cache.
    public var cache = Cache()
    /// Counts of the look-ups in the storage tiers, and of the images that the look-ups found.
    public var tiers = Tiers()
    /// Fetches over a network, by how they ended.
    public var fetches = Fetches()
    /// The times from submission to the first image, degraded or final; requests that get none do not count.
    public internal(set) var firstImage = LatencyHistogram()
    /// The times from submission to the final image; requests that get none do not count.
    public internal(set) var finalImage = LatencyHistogram()
    /// Bytes of the memory budget in use at this moment.
    public internal(set) var budgetUsedByteCount = 0
    /// The most bytes of the memory budget that were in use at once.
    public internal(set) var budgetPeakByteCount = 0
    /// Bytes of the memory budget that may be in use at this moment: fewer than configured if memory is short.
    public internal(set) var budgetLimitByteCount = 0
    /// The memory pressure on the manager, as reported by the system and by the program that uses this library.
    public internal(set) var memoryPressure = MemoryPressure.none
    /// Bytes of cached images at this moment.
    public internal(set) var cachedByteCount = 0
    /// Bytes of packed bitmaps at this moment. `cachedByteCount` does not include them.
    public internal(set) var packedByteCount = 0
    /// Bytes of the cached images of each owner of a `BudgetShare` at this moment, packed bitmaps included; owners
    /// without cached images are left out.
    public internal(set) var ownedByteCounts: [Int: Int] = [:]
    /// The number of renders that wait for a worker.
    public internal(set) var queuedRenderCount = 0
    /// The number of renders that run on a worker.
    public internal(set) var runningRenderCount = 0
    /// The number of fetches that wait for their turn.
    public internal(set) var queuedFetchCount = 0
    /// The number of fetches that run.
    public internal(set) var runningFetchCount = 0
    /// The number of requests that have not ended.
    public internal(set) var liveRequestCount = 0
}
