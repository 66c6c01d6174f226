import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelScheduling

/// The accounts of a pipeline: how many requests, renders and fetches there were, and how each ended. They include the
/// log of events and the records of renders, if the configuration asks for these.
struct PipelineAccounts: Sendable {
    private var counts = PipelineStatistics()
    /// Requests that the cache has answered; `counts` does not include them.
    private var answers = CachedAnswerCounts()
    private var log: EventLog
    private let recordsRenders: Bool
    private var renderRecords: [RenderRecord] = []

    init(eventCapacity: Int, recordsRenders: Bool) {
        log = EventLog(capacity: eventCapacity)
        self.recordsRenders = recordsRenders
    }

    /// The counts so far. `PipelineState` adds the queue lengths and byte counts of this moment.
    var statistics: PipelineStatistics {
        var statistics = counts
        statistics.add(answers)
        statistics.liveRequestCount = liveRequestCount
        return statistics
    }

    var liveRequestCount: Int {
        let requests = counts.requests
        return requests.submitted - requests.delivered - requests.cancelled - requests.failed - requests.shed
    }

    // MARK: Counting requests

    @inline(__always)
    mutating func requestSubmitted(_ id: ImageRequestID, asset: AssetIdentifier, priority: RequestPriority) {
        counts.requests.submitted += 1
        log.note(.requestSubmitted(id, asset: asset, priority: priority))
    }

    mutating func requestRefused(_ id: ImageRequestID) {
        counts.requests.submitted += 1
        counts.requests.failed += 1
        log.note(.requestRefused(id))
    }

    mutating func requestCoalesced(_ id: ImageRequestID) {
        counts.requests.coalesced += 1
        log.note(.requestCoalesced(id))
    }

    mutating func lookedUp(isHit: Bool, for priority: RequestPriority) {
        guard priority == .userInitiated else { return }
        counts.cache.lookups += 1
        if isHit { counts.cache.hits += 1 }
    }

    /// Counts a request that was never submitted, because the cache answered it.
    @inline(__always)
    mutating func requestAnswered(_ id: ImageRequestID, asset: AssetIdentifier, priority: RequestPriority) {
        answers.count += 1
        if priority == .userInitiated { answers.visibleCount += 1 }
        log.note(.requestSubmitted(id, asset: asset, priority: priority))
        log.note(.requestEnded(id, .delivered))
    }

    /// Counts requests that the pipeline's owner has answered from its own copy of the cache.
    mutating func requestsAnswered(_ counts: CachedAnswerCounts) {
        answers.count += counts.count
        answers.visibleCount += counts.visibleCount
    }

    /// - Parameter milliseconds: the time since the submission if this is the request's first image, and nil otherwise.
    mutating func degradedImageDelivered(to id: ImageRequestID, firstAfter milliseconds: Double?) {
        if let milliseconds { counts.firstImage.record(milliseconds: milliseconds) }
        log.note(.requestDegraded(id))
    }

    /// - Parameters:
    ///   - milliseconds: the time since the submission.
    ///   - isFirst: whether the request had no degraded image before.
    mutating func finalImageDelivered(after milliseconds: Double, isFirst: Bool) {
        counts.finalImage.record(milliseconds: milliseconds)
        if isFirst { counts.firstImage.record(milliseconds: milliseconds) }
    }

    mutating func requestEnded(_ id: ImageRequestID, with result: PipelineResult) {
        let end = PipelineEvent.RequestEnd(result)
        switch end {
        case .delivered: counts.requests.delivered += 1
        case .failed: counts.requests.failed += 1
        case .cancelled: counts.requests.cancelled += 1
        case .shed: counts.requests.shed += 1
        }
        log.note(.requestEnded(id, end))
    }

    // MARK: Counting renders

    mutating func renderStarted(_ render: @autoclosure () -> PipelineEvent.Render) {
        counts.renders.started += 1
        log.note(.renderStarted(render()))
    }

    mutating func renderToldToStop(_ run: PipelineState.Job.Run) {
        log.note(.renderToldToStop(number: run.renderNumber, worker: run.worker))
    }

    /// - Parameter asset: the asset of the rendition that the render was started for.
    mutating func renderEnded(
        _ run: PipelineState.Job.Run, of asset: AssetIdentifier, _ end: PipelineEvent.RenderEnd, at now: MonotonicTime
    ) {
        switch end {
        case .finished:
            counts.renders.finished += 1
            counts.renders.shared += run.companions.count
            if run.source.isResampled { counts.renders.resampled += 1 }
            if run.source.isPacked { counts.cache.unpacked += 1 }
        case .failed: counts.renders.failed += 1
        case .stopped: counts.renders.stopped += 1
        case .preempted: counts.renders.preempted += 1
        }
        log.note(.renderEnded(number: run.renderNumber, worker: run.worker, end))
        let milliseconds = now.milliseconds(since: run.start)
        counts.renders.totalMilliseconds += milliseconds
        if end != .finished { counts.renders.waste(milliseconds) }
        guard recordsRenders else { return }
        renderRecords.append(
            RenderRecord(
                renderNumber: run.renderNumber, asset: asset, start: run.start, finish: now, end: RenderRecord.End(end))
        )
    }

    /// Counts a finished render whose image no request used.
    mutating func renderWasted(milliseconds: Double) {
        counts.renders.waste(milliseconds)
    }

    /// Counts a render that is not begun, because it is known to fail.
    mutating func renderSpared() {
        counts.renders.spared += 1
    }

    mutating func takeRenderRecords() -> [RenderRecord] {
        defer { renderRecords = [] }
        return renderRecords
    }

    // MARK: Counting changes of the cache

    /// Counts an image that has entered the cache.
    ///
    /// - Parameter cachedByteCount: the bytes of all cached bitmaps and files after the insertion, without packed
    ///   bitmaps.
    mutating func imageInserted(cachedByteCount: Int) {
        counts.cache.insertions += 1
        counts.cache.peakByteCount = max(counts.cache.peakByteCount, cachedByteCount)
    }

    mutating func imageEvicted(byteCount: Int) {
        counts.cache.evictions += 1
        log.note(.evicted(byteCount: byteCount))
    }

    mutating func bitmapPacked() {
        counts.cache.packed += 1
    }

    // MARK: Counting look-ups, claims and fetches

    /// Counts a look-up in a storage tier by its outcome.
    mutating func lookedUp(in tier: StorageTier, _ outcome: LookUpOutcome) {
        counts.tiers.lookups += 1
        switch outcome {
        case .found:
            counts.tiers.hits += 1
            if tier == .shared { counts.tiers.sharedHits += 1 }
        case .refused: counts.tiers.refusals += 1
        case .missing, .unavailable: break
        }
    }

    mutating func claimed() { counts.tiers.claims += 1 }

    /// Counts the answer to a claim that a job has waited for.
    mutating func claimAnswered(_ outcome: ClaimOutcome) {
        switch outcome {
        case .found, .refused: counts.tiers.awaited += 1
        case .won, .unavailable: break
        }
    }

    mutating func fetchStarted() {
        counts.fetches.started += 1
    }

    mutating func fetchFinished(byteCount: Int) {
        counts.fetches.finished += 1
        counts.fetches.byteCount += byteCount
    }

    mutating func fetchFailed() {
        counts.fetches.failed += 1
    }

    /// Counts a fetch whose transfer was stopped.
    ///
    /// - Parameter isWanted: whether a job still wants the bytes. If so, the fetch is queued again, and counts as
    ///   preempted.
    mutating func fetchStopped(isWanted: Bool) {
        if isWanted { counts.fetches.preempted += 1 } else { counts.fetches.stopped += 1 }
    }

    // MARK: The log of events

    mutating func takeEvents() -> PipelineEvents { log.take() }

    var keepsEvents: Bool { log.keepsEvents }

    /// Ends a call of the pipeline by its owner. All log entries made during the call get the time `now`.
    ///
    /// - Parameter gauges: queue lengths and byte counts after the call, to be logged. Nil if another call of the same
    ///   batch follows, because these numbers are logged only after the last call of a batch.
    mutating func stampEvents(at now: MonotonicTime, _ gauges: PipelineEvent.Gauges?) {
        log.stamp(at: now, gauges)
    }
}

extension PipelineEvent.RequestEnd {
    fileprivate init(_ result: PipelineResult) {
        self =
            switch result {
            case .progress, .degraded, .final: .delivered
            case .failed(.overloaded, _): .shed
            case .failed: .failed
            case .cancelled: .cancelled
            }
    }
}

extension RenderRecord.End {
    fileprivate init(_ end: PipelineEvent.RenderEnd) {
        self =
            switch end {
            case .finished: .finished
            case .failed: .failed
            case .stopped, .preempted: .stopped
            }
    }
}
