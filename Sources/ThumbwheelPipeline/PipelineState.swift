import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// The state of a pipeline, as a plain value. It decides which render runs when and on which worker, which images stay
/// in the cache, and which results each request gets in which order.
///
/// Events go in as calls of mutating methods, each with the time at which it happens. The owner takes the resulting
/// tasks with `takeActions`. The state has no lock, thread, clock or random source, and nothing depends on the order of
/// a dictionary: equal events give equal actions. The state asks the outside world only one question, when memory is
/// short: which delivered images do their receivers still hold? Worker threads drive the state in production, and a
/// virtual clock drives it in simulations.
package struct PipelineState: Sendable {
    package struct Configuration: Sendable {
        package let workerCount: Int
        /// Bytes for cached renditions, running renders and fetched files together.
        package let budget: Int
        /// Whether the newest of several requests with equal priority and urgency is served first. If false, the oldest
        /// one is served first.
        package var servesNewestFirst = true
        /// Whether the urgency of requests with the priority `.userInitiated` is weighed against the predicted cost of
        /// their renders.
        package var weighsCost = true
        /// The number of files that may be fetched over the network at once; 0 forbids fetching.
        package var fetchLimit = 4
        /// The length, in bytes, of the longest file that is fetched.
        package var fetchByteLimit = Int.max
        /// Whether finished renditions are cached for later requests.
        package var keepsRenditions = true
        /// The memory tiers that hold packed bitmaps (compressed without loss), the coldest tier first. Idle workers
        /// move cached bitmaps that have not been requested lately into these tiers. Nothing is packed if the list is
        /// empty.
        package var packedTiers: [MemoryTier] = []
        /// The storage tiers (stores outside memory) that keep renditions, in the order in which they are asked.
        package var storageTiers: [StorageTier] = []
        /// The longest time that a job waits for another server that is making its rendition.
        package var claimTimeout = Duration.seconds(2)
        /// Whether storage tiers (stores outside memory) are asked even when they are slow, and their answers are
        /// waited for without a time limit. This suits a program that makes images in advance, and tests whose results
        /// must not depend on the speed of the machine.
        package var waitsForTiers = false
        /// The largest number of notes in memory about renditions that cannot be made because of their files. A
        /// rendition with such a note is not tried again. With 0, renditions are tried again at each request.
        package var refusalLimit = 0
        /// Whether each run of a render is recorded for `takeRenderRecords`.
        package var recordsRenders = false
        /// The time after which a render that still runs counts as failed.
        package var renderTimeLimit = RenderLimits().duration
        package var queueLimits = QueueLimits()
        /// Whether the renditions that enter or leave the cache are recorded for `takeRenditionChanges`.
        package var reportsRenditions = false
        /// The largest number of events that the log keeps for `takeEvents`; with 0, no event is logged.
        package var eventCapacity = 0

        /// Makes a configuration and lets `configure` change its defaults.
        package init(workerCount: Int, budget: Int, _ configure: (inout Configuration) -> Void = { _ in }) {
            self.workerCount = workerCount
            self.budget = budget
            configure(&self)
        }
    }

    package let configuration: Configuration
    var requests: RequestBook
    var renders: RenderBoard
    var store: RenditionStore
    var fetches: FetchBoard
    var lookUps: LookUpBoard
    var claims = ClaimBoard()
    var unused = UnusedRenditions()
    var refusals: Refusals
    var windows = WindowBoard()
    var alarms = AlarmBoard()
    var accounts: PipelineAccounts
    /// The bytes of the budget that are reserved for exports.
    var exportedByteCount = 0
    private var actions = ActionList()
    private(set) var phase = Phase.open
    /// Whether a batch of events is being applied. Renders and fetches start only after it.
    private(set) var isInBatch = false

    /// The stages of a pipeline, from open to the end of all its work.
    enum Phase: Comparable {
        case open
        /// The pipeline takes no new requests; live requests go on to their ends.
        case closed
        /// The pipeline is closed, no render runs, and none will start.
        case withoutWorkers
        /// The pipeline is closed, and no render, fetch or look-up runs, besides look-ups that have taken too long. Such
        /// a look-up may never be answered, so nobody waits for it. If it is answered later, nothing follows.
        case idle
    }

    package init(configuration: Configuration) {
        self.configuration = configuration
        requests = RequestBook(
            limits: configuration.queueLimits, servesNewestFirst: configuration.servesNewestFirst,
            weighsCost: configuration.weighsCost)
        renders = RenderBoard(workerCount: configuration.workerCount)
        store = RenditionStore(budget: configuration.budget, keepsChanges: configuration.reportsRenditions)
        fetches = FetchBoard(limit: configuration.fetchLimit, byteLimit: configuration.fetchByteLimit)
        lookUps = LookUpBoard(tiers: configuration.storageTiers, asksAlways: configuration.waitsForTiers)
        refusals = Refusals(limit: configuration.refusalLimit)
        accounts = PipelineAccounts(
            eventCapacity: configuration.eventCapacity, recordsRenders: configuration.recordsRenders)
    }

    /// Begins a batch. All events up to `endBatch` count as one event: in between, no render or fetch starts, and none
    /// is stopped to make way for another.
    package mutating func beginBatch() {
        isInBatch = true
    }

    package mutating func endBatch(at now: MonotonicTime) {
        isInBatch = false
        dispatch(at: now)
    }

    /// Takes the actions that have accumulated since the last call, in order.
    package mutating func takeActions() -> [PipelineAction] {
        advancePhase()
        noteDeparted(store.evict(untilFitting: 0, includingWanted: true))
        store.endEvent()
        if let time = alarms.takeWake() { emit(.wake(at: time)) }
        shrinkTables()
        return actions.take()
    }

    /// An empty table keeps its storage if it has room for at most this many rows; the storage of a larger one is
    /// freed.
    static let keptCapacity = 4096

    /// Frees the storage of tables that were large and are empty now.
    private mutating func shrinkTables() {
        let freedCount =
            requests.shrink() + alarms.shrink() + renders.shrink() + fetches.shrink() + lookUps.shrink()
            + windows.shrink()
        if freedCount >= Self.pageReturnThreshold { emit(.returnFreePages) }
    }

    /// If at least this many table rows are freed at once, the allocator is asked to return free pages to the system.
    /// To do so, the allocator walks through its whole heap. The walk takes little time compared with the handling of
    /// the requests that have filled so many rows.
    static let pageReturnThreshold = 16_384

    /// Closes the pipeline to new requests, which from now on are cancelled as soon as they are submitted. Live
    /// requests go on.
    mutating func closePhase() {
        phase = max(phase, .closed)
    }

    private mutating func advancePhase() {
        if phase == .closed, renders.isEmpty {
            phase = .withoutWorkers
            emit(.dismissWorkers)
        }
        if phase == .withoutWorkers, fetches.isEmpty, lookUps.haveAllTimedOut, claims.areAllAnswered {
            phase = .idle
            emit(.idle)
        }
    }

    package mutating func takeRenderRecords() -> [RenderRecord] { accounts.takeRenderRecords() }

    /// Takes the entries that have been added to the log since the last call.
    package mutating func takeEvents() -> PipelineEvents { accounts.takeEvents() }

    /// The pixels of a cached rendition. Reading them does not count the rendition as used.
    package func pixels(of key: RenditionKey) -> Bitmap? { store.pixels(of: key) }

    package var cachedByteCount: Int { store.cachedByteCount }

    package var statistics: PipelineStatistics {
        var statistics = accounts.statistics
        store.add(to: &statistics)
        statistics.queuedRenderCount = renders.queuedCount
        statistics.runningRenderCount = renders.runningCount
        statistics.queuedFetchCount = fetches.queuedCount
        statistics.runningFetchCount = fetches.runningCount
        return statistics
    }

    mutating func emit(_ action: PipelineAction) {
        actions.append(action)
    }

    mutating func emit(_ delivery: PipelineDelivery) {
        actions.deliver(delivery)
    }

    mutating func reserveDeliveries(_ count: Int) {
        actions.reserveDeliveries(count)
    }

    /// Ends a call of the pipeline by its owner: gives all log entries that were made during the call the time `now`.
    /// The clock is not read if the pipeline keeps no log.
    @inline(__always)
    mutating func stampEvents(at now: @autoclosure () -> MonotonicTime) {
        guard accounts.keepsEvents else { return }
        accounts.stampEvents(at: now(), isInBatch ? nil : gauges)
    }

    private var gauges: PipelineEvent.Gauges {
        PipelineEvent.Gauges(
            queuedRenderCount: renders.queuedCount, runningRenderCount: renders.runningCount,
            liveRequestCount: accounts.liveRequestCount, cachedByteCount: store.budget.usedByteCount(for: .cache),
            renderingByteCount: store.budget.usedByteCount(for: .rendering))
    }
}
