import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

extension ImageManager {
    /// The limits and the habits of a manager.
    public struct Configuration: Sendable {
        /// The number of render threads; by default the number of processors that the process may use. Less than 1
        /// counts as 1.
        public var workerCount = HostResources.current.processorCount
        /// Bytes for cached bitmaps, running renders and files fetched over a network; by default a quarter of the
        /// memory that the process may use. Less than 0 counts as 0: images that somebody waits for are still made, and
        /// none is kept.
        public var memoryBudget = HostResources.current.memoryByteCount / 4
        /// The number of files that may be fetched over the network at once. With 0 or less, nothing is fetched: a
        /// request that needs a fetch ends with `networkAccessRequired`, whatever its options say.
        public var fetchLimit = 4
        /// The limits on the cost of a single render.
        public var limits = RenderLimits()
        /// How many requests may wait, and what becomes of more.
        public var queueLimits = QueueLimits()
        /// Whether previews embedded in files serve as degraded images, and as final ones of fast delivery where they
        /// cover the target.
        public var usesEmbeddedPreviews = true
        /// Whether the first decode of an asset makes its `Asset.thumbHash`, for a hundredth or two of its time.
        public var makesThumbHashes = true
        /// Among requests of equal priority and urgency: the newest first, as a scroll wants it, or the oldest.
        public var servesNewestFirst = true
        /// Whether among visible requests the urgency is weighed against what their images are predicted to cost.
        public var weighsCost = true
        /// Whether finished renditions are kept for later requests. If not, every request renders again.
        public var keepsRenditions = true
        /// Whether workers that have nothing else to do pack bitmaps that have not been asked for lately, without loss, to
        /// about two thirds; packed, they are found again half a millisecond later than as bitmaps.
        public var packsRenditions = false
        /// How many events are kept for `takeEvents`, the newest; 0, and none are noted.
        public var eventCapacity = 0
        /// The executor of handlers whose request names none; see <doc:Semantics#Where-handlers-run>.
        public var executor = DeliveryExecutor.concurrent
        /// Whether the manager releases memory on its own when its control group or the machine runs short.
        public var watchesMemory = true

        /// Makes a configuration; the defaults follow what the machine or the container grants the process.
        public init() {}

        /// Makes a configuration and lets `configure` change it.
        public init(_ configure: (inout Configuration) -> Void) {
            self.init()
            configure(&self)
        }
    }
}

// The one place where the manager's configuration becomes that of its parts.

extension PipelineState.Configuration {
    /// Brings the host's numbers into bounds: they may come from a file or an environment variable.
    init(_ configuration: ImageManager.Configuration, recordsRenders: Bool) {
        self.init(workerCount: max(1, configuration.workerCount), budget: max(0, configuration.memoryBudget))
        fetchLimit = configuration.fetchLimit
        fetchByteLimit = configuration.limits.byteCount
        servesNewestFirst = configuration.servesNewestFirst
        weighsCost = configuration.weighsCost
        keepsRenditions = configuration.keepsRenditions
        colderTiers = configuration.packsRenditions ? [.packed] : []
        self.recordsRenders = recordsRenders
        renderTimeLimit = configuration.limits.duration
        queueLimits = configuration.queueLimits
        eventCapacity = configuration.eventCapacity
    }
}

extension AssetRenderer {
    init(_ configuration: ImageManager.Configuration) {
        self.init(
            limits: configuration.limits, usesEmbeddedPreviews: configuration.usesEmbeddedPreviews,
            makesThumbHashes: configuration.makesThumbHashes)
    }
}
