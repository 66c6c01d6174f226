import ThumbwheelAssets
import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelRendering

extension ImageManager {
    /// The limits and settings of an image manager.
    public struct Configuration: Sendable {
        /// The number of render threads, at least 1; by default the number of processors that the process may use.
        public var workerCount = HostResources.current.processorCount
        /// Bytes for cached bitmaps, running renders and files fetched over a network; by default a quarter of the
        /// memory that the process may use. With 0, requested images are still made, but none is cached. Less than 0
        /// is refused.
        public var memoryBudget = HostResources.current.memoryByteCount / 4
        /// The number of files that may be fetched over the network at once, at least 1. The option
        /// `ImageRequestOptions.isNetworkAccessAllowed` decides whether a request may use the network at all.
        public var fetchLimit = 4
        /// The limits on the cost of a single render.
        public var limits = RenderLimits()
        /// How many requests may wait, and which requests end early when there are more.
        public var queueLimits = QueueLimits()
        /// The files that are decoded outside the process; see <doc:Deployment#Decoding-outside-the-process>. Without
        /// the decoder's executable, requests for images of these files end with `RenderError.unavailable`.
        public var isolation = Isolation.none
        /// The path of the executable that decodes outside the process. If nil, it is the one that the environment
        /// variable `THUMBWHEEL_DECODER` names, else `thumbwheel-decoder` in the folder of the process's executable.
        public var decoderPath: String?
        /// The folders outside of which no file is opened for an image, wherever symbolic links lead: requests for images
        /// of other files end like those for files that are missing. Files may lie anywhere if there are no folders here.
        /// The file is checked after it has been opened, so that a link that takes its place for a moment leads nowhere.
        public var roots: [String] = []
        /// Whether requests for images of files that have been written again, or replaced, since the library looked at them
        /// end like those for files that are missing, until the library has looked again. If not, such an image is made of
        /// the new bytes. A service whose clients keep images for good needs this: they would keep the new picture as the
        /// former version's. The file is looked at after it has been opened, and again after it has been read.
        public var refusesChangedFiles = false
        /// Whether previews embedded in files serve as degraded images. They then also serve as the final images of
        /// `.fast` requests, if they are large enough for the target.
        public var usesEmbeddedPreviews = true
        /// Whether the first decode of an asset also makes its `Asset.thumbHash`, which takes one or two per cent of
        /// the decode's time.
        public var makesThumbHashes = true
        /// Whether the newest of several requests with equal priority and urgency is served first, as suits scrolling.
        /// If false, the oldest is served first.
        public var servesNewestFirst = true
        /// Whether the order of requests with the priority `.userInitiated` depends on the predicted cost of their
        /// images, and not on their urgency alone. If so, the cheapest of several about equally urgent images goes
        /// first.
        public var weighsCost = true
        /// Whether finished renditions are cached for later requests. If not, every request renders again.
        public var keepsRenditions = true
        /// Whether idle workers losslessly pack cached bitmaps that have not been requested lately, to about two thirds
        /// of their size. A request for a packed bitmap takes half a millisecond longer.
        public var packsRenditions = false
        /// The store on disk in which finished images outlive the process; nil for none.
        public var store: Store?
        /// The store of finished images that several servers share, for example `RedisStore` of `ThumbwheelRedis`; nil
        /// for none. It is asked after the store on disk. The host closes it after the manager has been shut down.
        public var sharedStore: (any SharedStore)?
        /// The longest time that this server waits for an image that another server is making. After this time, this
        /// server makes the image too. An image that is quick to make is made at once, without asking whether another
        /// server is making it.
        public var sharedStorePatience = Duration.seconds(2)
        /// Whether the manager asks its stores even when they are slow, and waits without a time limit for their
        /// answers and for images that other servers are making. Tests set this, so that their results do not depend on
        /// the speed of the machine.
        package var waitsWithoutTimeLimit = false
        /// Whether the manager asks its stores even when they are slow, and waits for their answers without a time
        /// limit. For an image that another server is making, it still waits only as long as `sharedStorePatience`
        /// says. This suits a program that makes images in advance: nobody waits for these images, and an image that a
        /// slow store already has should not be made again.
        package var asksSlowStores = false
        /// The number of milliseconds that a render waits for the signal that has ended its decoder process. Tests set
        /// this, because the signal may come late on a busy machine.
        package var decoderSignalMilliseconds = 1000
        /// The largest number of events that are logged for `takeEvents`; when there are more, the oldest are dropped.
        /// With 0, no events are logged.
        public var eventCapacity = 0
        /// The executor that runs the handlers of requests that name no executor; see
        /// <doc:Semantics#Where-handlers-run>.
        public var executor = DeliveryExecutor.concurrent
        /// Whether the manager frees memory on its own when its control group or the machine runs short of memory.
        public var watchesMemory = true

        /// A store of finished images on disk.
        ///
        /// Several managers and processes can share a store. If the store cannot be used, now or for a while, the
        /// manager works without it, and `ImageManager.storeStatistics` tells the reason.
        public struct Store: Sendable, Hashable {
            /// The path of the store's folder. It is made if there is none.
            public var folder: String
            /// The bytes that the store may take on the disk.
            public var byteLimit: Int

            /// Describes a store; by default it takes up to 4 GiB.
            public init(folder: String, byteLimit: Int = 4 << 30) {
                self.folder = folder
                self.byteLimit = byteLimit
            }
        }

        /// Makes a configuration; the defaults depend on the processors and the memory that the machine or the
        /// container grants the process.
        public init() {}

        /// Makes a configuration and lets `configure` change it.
        public init(_ configure: (inout Configuration) -> Void) {
            self.init()
            configure(&self)
        }
    }
}

// These extensions convert the configuration of a manager into the configurations of its pipeline, disk store and
// renderer. They have to pass on every new setting that one of these three needs.

extension PipelineState.Configuration {
    /// A duration that stands for "no time limit": about 136 years.
    private static let endless = Duration.seconds(1 << 32)
    /// The default of `refusalLimit`, the largest number of notes about images that could not be made because of their
    /// files. An image with such a note is not tried again. A note takes a few hundred bytes of memory.
    private static let defaultRefusalLimit = 1024

    /// Makes the pipeline's configuration from a manager's configuration. A worker count below 1 is replaced by 1, and
    /// a negative memory budget by 0. `Configuration.validate` rejects such numbers, but is not called for the manager
    /// of a replay (a recorded series of requests that is run again).
    init(_ configuration: ImageManager.Configuration, recordsRenders: Bool) {
        let workerCount = max(1, configuration.workerCount)
        // The memory of the idle decoder processes is subtracted from the memory budget, because no job reserves it.
        let decoders = configuration.isolation == .none ? 0 : workerCount * DecoderPool.idleByteCount
        self.init(workerCount: workerCount, budget: max(0, configuration.memoryBudget - decoders))
        fetchLimit = configuration.fetchLimit
        fetchByteLimit = configuration.limits.byteCount
        servesNewestFirst = configuration.servesNewestFirst
        weighsCost = configuration.weighsCost
        keepsRenditions = configuration.keepsRenditions
        refusalLimit = configuration.keepsRenditions ? Self.defaultRefusalLimit : 0
        packedTiers = configuration.packsRenditions ? [.packed] : []
        self.recordsRenders = recordsRenders
        renderTimeLimit = configuration.limits.duration
        queueLimits = configuration.queueLimits
        eventCapacity = configuration.eventCapacity
        claimTimeout = configuration.waitsWithoutTimeLimit ? Self.endless : configuration.sharedStorePatience
        waitsForTiers = configuration.waitsWithoutTimeLimit || configuration.asksSlowStores
    }
}

extension ImageManager.Configuration {
    /// The objects that read and write the manager's stores, one for each store that the manager has: the store on disk
    /// and the store that servers share.
    func keepers(disk: DiskKeeper?) -> [StorageTier: any RenditionKeeper] {
        var keepers: [StorageTier: any RenditionKeeper] = [:]
        keepers[.disk] = disk
        keepers[.shared] = sharedStore.map {
            SharedKeeper(
                $0, usesEmbeddedPreviews: usesEmbeddedPreviews,
                closingTimeout: waitsWithoutTimeLimit ? .seconds(86_400) : asksSlowStores ? .seconds(60) : .seconds(2))
        }
        return keepers
    }
}

extension DiskKeeper {
    /// Makes the object that reads and writes the configured store on disk; nil if no store is configured.
    convenience init?(_ configuration: ImageManager.Configuration) {
        guard let store = configuration.store else { return nil }
        self.init(
            DiskStore(
                DiskStore.Configuration(folder: store.folder, byteLimit: max(0, store.byteLimit)),
                access: StoreFileAccess(), closingTime: configuration.asksSlowStores ? .seconds(600) : .seconds(10)),
            usesEmbeddedPreviews: configuration.usesEmbeddedPreviews)
    }
}

extension AssetRenderer {
    init(_ configuration: ImageManager.Configuration) {
        self.init(
            limits: configuration.limits, usesEmbeddedPreviews: configuration.usesEmbeddedPreviews,
            makesThumbHashes: configuration.makesThumbHashes,
            roots: configuration.roots.isEmpty ? nil : FolderRoots(configuration.roots),
            refusesChangedFiles: configuration.refusesChangedFiles, isolation: RenderIsolation(configuration))
    }
}

extension RenderIsolation {
    /// The largest number of idle decoder processes that are kept ready for jobs.
    private static let readyLimit = 4

    /// Makes the decoder processes of a manager; nil if its configuration asks for none.
    init?(_ configuration: ImageManager.Configuration) {
        self.init(
            configuration.isolation,
            pool: {
                var own = DecoderPool.Configuration(
                    limits: configuration.limits,
                    readyCount: min(Self.readyLimit, max(1, configuration.workerCount)))
                own.executable = configuration.decoderPath
                own.idleLimit = max(1, configuration.workerCount)
                own.signalMilliseconds = configuration.decoderSignalMilliseconds
                return DecoderPool(own)
            }())
    }
}
