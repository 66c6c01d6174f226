import ThumbwheelAssets
import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

/// Everything the manager decides, as a plain value: which render runs when and where, what is kept, what each request
/// gets and in which order.
///
/// Events go in as calls of mutating methods, each with the time at which it happens; what the owner has to do comes out
/// of `takeActions`. There is no lock, thread, clock or random source in here, and nothing depends on the order of a
/// dictionary: equal events give equal actions. Of the world it asks one thing, when it looks for memory: which of the
/// images it has given away are still held. Worker threads drive it in production, a virtual clock in simulations.
package struct PipelineState: Sendable {
    package struct Configuration: Sendable {
        package var workerCount: Int
        /// Bytes for cached bitmaps and running renders together.
        package var budget: Int
        /// Among requests of equal priority and urgency: the newest first, or the oldest.
        package var servesNewestFirst: Bool
        /// Whether among visible requests the urgency is weighed against what a render is predicted to cost.
        package var weighsCost: Bool
        /// The number of files that may be fetched over the network at once; with 0, none is.
        package var fetchLimit: Int
        /// The length, in bytes, of the longest file that is fetched.
        package var fetchByteLimit = Int.max
        /// Whether finished renditions are kept for later requests.
        package var keepsRenditions: Bool
        /// Whether workers that are idle pack what has not been asked for lately.
        package var packsRenditions: Bool
        /// Whether each run of a render is kept for `takeRenderRecords`.
        package var recordsRenders: Bool
        /// How long a render may run before those who wait for it are told that it fails.
        package var renderTimeLimit: Duration
        package var queueLimits: QueueLimits
        /// How many events are kept for `takeEvents`; 0, and none are noted.
        package var eventCapacity: Int

        package init(
            workerCount: Int, budget: Int, fetchLimit: Int = 4, servesNewestFirst: Bool = true,
            weighsCost: Bool = true, keepsRenditions: Bool = true, packsRenditions: Bool = false,
            recordsRenders: Bool = false,
            renderTimeLimit: Duration = RenderLimits().duration, queueLimits: QueueLimits = QueueLimits(),
            eventCapacity: Int = 0
        ) {
            self.workerCount = workerCount
            self.budget = budget
            self.fetchLimit = fetchLimit
            self.servesNewestFirst = servesNewestFirst
            self.weighsCost = weighsCost
            self.keepsRenditions = keepsRenditions
            self.packsRenditions = packsRenditions
            self.recordsRenders = recordsRenders
            self.renderTimeLimit = renderTimeLimit
            self.queueLimits = queueLimits
            self.eventCapacity = eventCapacity
        }
    }

    let configuration: Configuration
    var scheduler: Scheduler
    typealias Cache = LRUCache<RenditionKey, SharedImage>

    var cache = Cache()
    /// Behind the bitmaps in their order, and in fewer bytes; what is in here is not in `cache`.
    var packed = Cache()
    var packing: Packing?
    /// Those in either that renders are made of at this moment, once for each.
    var imagesBeingRead: [SharedImage] = []
    /// The cached renditions of each asset, packed ones included, for lookups that accept more than one rendition.
    var cachedRenditions: [AssetIdentifier: CachedRenditions] = [:]
    var budget: MemoryBudget
    var pressure: PressureState
    var requests = RequestTable()
    var jobs = JobTable()
    var fetchScheduler: Scheduler
    var fetches: [RenditionKey.Subject: Fetch] = [:]
    /// By the slots of their identifiers in `fetchScheduler`; what is stale there is in no fetch.
    var fetchSubjects: [RenditionKey.Subject?] = []
    /// Those whose bytes are here: few, for the budget pays for them, where thousands may be on their way.
    var fetchedSubjects: [RenditionKey.Subject] = []
    /// Those that lost their last job during this event.
    var unwantedFetches: [RenditionKey.Subject] = []
    /// The assumed length of a file of unknown length; the initial value is that of a typical camera file.
    var unknownByteCount = 8 << 20
    var windows: [Int: Window] = [:]
    var holds: [RenditionKey: Hold] = [:]
    var queues = RequestQueues()
    var alarms = AlarmHeap()
    /// When the owner is going to call `timePassed`.
    var announcedWake: MonotonicTime?
    /// When the owner last called `timePassed`.
    var lastTimePassed = MonotonicTime.zero
    /// Set while something waits for memory that receivers hold: they release it without telling the pipeline.
    var memoryAlarm: AlarmHeap.Alarm?
    var memoryPredictions = MemoryPredictions()
    var onTheWay = ImagesOnTheWay()
    var counts = PipelineStatistics()
    /// Not among the counts yet.
    var answers = CachedAnswerCounts()
    var log = EventLog()
    var lastRequestNumber: UInt64 = 0
    var lastSequence: Int64 = 0
    var lastRenderNumber: UInt64 = 0
    var lastWindowNumber = 0
    var isClosed = false
    private var hasDismissedWorkers = false
    private var hasReportedIdle = false
    /// Set during a batch.
    var isHoldingDispatch = false
    private var actions: [PipelineAction] = []
    /// One action, however many they are.
    var deliveries: [PipelineDelivery] = []
    private var renderRecords: [RenderRecord] = []

    package init(configuration: Configuration) {
        self.configuration = configuration
        scheduler = Scheduler(workerCount: configuration.workerCount)
        fetchScheduler = Scheduler(workerCount: max(1, configuration.fetchLimit))
        budget = MemoryBudget(limit: configuration.budget)
        pressure = PressureState(grantedByteCount: configuration.budget)
    }

    /// The events up to `endBatch` count as one: nothing starts, and nothing has to make way, before the last of them.
    package mutating func beginBatch() {
        isHoldingDispatch = true
    }

    package mutating func endBatch(at now: MonotonicTime) {
        isHoldingDispatch = false
        dispatch(at: now)
    }

    /// What is to be done since this was last asked, in order.
    package mutating func takeActions() -> [PipelineAction] {
        if isClosed, !hasReportedIdle, jobs.isEmpty, packing == nil { reportEnd() }
        evictExcess()
        onTheWay.endEvent()
        announceWake()
        shrinkTables()
        if !deliveries.isEmpty {
            emit(.deliver(deliveries))
            deliveries = []
        }
        defer { actions = [] }
        return actions
    }

    /// The number of empty places that a table may keep.
    static let keptCount = 4096

    /// Frees the storage of tables that were large and are empty now. It is called between two events, because a job
    /// that has ended is still looked up within its event.
    private mutating func shrinkTables() {
        requests.shrink()
        queues.shrink()
        alarms.shrink()
        if jobs.isEmpty, packing == nil, scheduler.slotCount > Self.keptCount { scheduler.shrink() }
        if fetches.isEmpty, fetchSubjects.count > Self.keptCount {
            (fetches, fetchSubjects) = ([:], [])
            fetchScheduler.shrink()
        }
        if holds.isEmpty, holds.capacity > Self.keptCount { holds = [:] }
    }

    private mutating func reportEnd() {
        if !hasDismissedWorkers { emit(.dismissWorkers) }
        hasDismissedWorkers = true
        guard fetches.isEmpty else { return }
        hasReportedIdle = true
        emit(.idle)
    }

    package mutating func takeRenderRecords() -> [RenderRecord] {
        defer { renderRecords = [] }
        return renderRecords
    }

    package var cachedByteCount: Int { cache.byteCount }

    package var statistics: PipelineStatistics {
        var statistics = counts
        statistics.add(answers)
        statistics.budgetUsedByteCount = budget.usedByteCount
        statistics.budgetPeakByteCount = budget.peak
        statistics.budgetLimitByteCount = budget.limit
        statistics.memoryPressure = pressure.level
        statistics.cachedByteCount = cache.byteCount
        statistics.packedByteCount = packed.byteCount
        statistics.queuedRenderCount = scheduler.queuedCount
        statistics.runningRenderCount = scheduler.runningCount
        statistics.queuedFetchCount = fetchScheduler.queuedCount
        statistics.runningFetchCount = fetchScheduler.runningCount
        statistics.liveRequestCount = liveRequestCount
        return statistics
    }

    var liveRequestCount: Int {
        let requests = counts.requests
        return requests.submitted - requests.delivered - requests.cancelled - requests.failed - requests.shed
    }

    mutating func emit(_ action: PipelineAction) {
        // A request that ends usually leaves two actions, its result and its work to release: one allocation serves
        // both.
        if actions.isEmpty { actions.reserveCapacity(2) }
        actions.append(action)
    }

    mutating func record(_ run: Job.Run, of key: RenditionKey, at now: MonotonicTime, end: RenderRecord.End) {
        let milliseconds = now.milliseconds(since: run.start)
        counts.renders.totalMilliseconds += milliseconds
        if end != .finished { counts.renders.waste(milliseconds) }
        guard configuration.recordsRenders else { return }
        renderRecords.append(
            RenderRecord(
                renderNumber: run.renderNumber, asset: key.subject.asset, start: run.start, finish: now, end: end))
    }
}
