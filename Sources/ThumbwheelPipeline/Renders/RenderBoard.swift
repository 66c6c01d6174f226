import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelScheduling

/// The jobs of all renditions that are being made or wait to be made. The board records which job runs on which worker,
/// which jobs share a decode, and how much memory renders take.
///
/// The board consists of a table of the jobs and a scheduler with their order, and changes both together. The board
/// does not know why a job has its rank (place in the order of work): `PipelineState` computes the rank from requests
/// and from the images that caching managers want to have ready.
struct RenderBoard: Sendable {
    typealias Job = PipelineState.Job

    private var scheduler: Scheduler
    private var jobs = JobTable()
    /// The task of packing a cached bitmap into fewer bytes, while a worker does it; nil at other times. The task
    /// occupies the worker like a job, but is not in the table of jobs.
    private(set) var packing: Packing?
    private var predictions = MemoryPredictions()
    private var lastRenderNumber: UInt64 = 0
    /// The jobs that have been told to stop although their decoders cannot be stopped, each once. Jobs whose runs have
    /// ended since may still be in the list.
    private var unstoppable: [JobID] = []
    /// The abandoned runs whose decoders have not returned, in the order in which they were abandoned.
    private var abandoned: [AbandonedRun] = []

    /// The number of times that one decode may be restarted to also make the renditions of jobs that were added after
    /// its start. Each restart loses the work done so far.
    private static let restartLimit = 2

    init(workerCount: Int) {
        scheduler = Scheduler(workerCount: workerCount)
    }

    // MARK: Finding jobs and their state

    /// The job with the identifier `id`.
    ///
    /// - Precondition: the job waits or runs.
    subscript(id: JobID) -> Job {
        @inline(__always) _read { yield jobs[id] }
    }

    /// The job that makes a rendition; nil if there is none.
    subscript(key: RenditionKey) -> JobID? { jobs[key] }

    func contains(_ id: JobID) -> Bool { jobs.contains(id) }

    /// The jobs of an asset, in the order in which they were added.
    func jobs(of asset: AssetIdentifier) -> [JobID] { jobs.jobs(of: asset) }

    func state(of id: JobID) -> Scheduler.JobState { scheduler.state(of: id) }
    func rank(of id: JobID) -> JobRank { scheduler.rank(of: id) }

    var queuedCount: Int { scheduler.queuedCount }
    var runningCount: Int { scheduler.runningCount }
    var hasIdleWorker: Bool { scheduler.runningCount < scheduler.workerCount }

    /// The number of jobs that the storage has room for.
    var capacity: Int { jobs.capacity }

    /// Whether a render takes memory: a running one, or an abandoned one.
    var hasRuns: Bool { scheduler.runningCount > 0 || !abandoned.isEmpty }

    /// Whether no job runs or waits, no bitmap is being packed, and no abandoned run is left. A pipeline that is being
    /// closed then dismisses its workers.
    var isEmpty: Bool { jobs.isEmpty && packing == nil && abandoned.isEmpty }

    /// Whether a job runs and has not been told to stop.
    func isRunning(_ id: JobID) -> Bool {
        if case .running = scheduler.state(of: id) { true } else { false }
    }

    // MARK: Adding, changing and removing jobs

    mutating func add(_ key: RenditionKey, work: RenderWork, rank: JobRank, subscribers: Subscribers) -> JobID {
        let id = scheduler.add(rank: rank)
        jobs.insert(id, for: key, work: work, subscribers: subscribers)
        return id
    }

    mutating func setRank(_ rank: JobRank, of id: JobID) {
        scheduler.setRank(rank, of: id)
    }

    /// Adds a request to the requests that wait for a job.
    ///
    /// - Parameter rank: returns the rank (place in the order of work) of a subscriber. It is called only if the job
    ///   stores the ranks of its subscribers. A job does so once it has more than a few subscribers.
    mutating func addSubscriber(_ request: ImageRequestID, to id: JobID, rank: (ImageRequestID) -> JobRank) {
        jobs[id].subscribers.append(request, rank: rank)
    }

    /// Removes a request from the requests that wait for a job.
    ///
    /// - Returns: whether the request was among the subscribers.
    mutating func removeSubscriber(_ request: ImageRequestID, from id: JobID) -> Bool {
        jobs[id].subscribers.remove(request)
    }

    mutating func setRank(_ rank: JobRank, ofSubscriber request: ImageRequestID, of id: JobID) {
        jobs[id].subscribers.setRank(rank, of: request)
    }

    mutating func removeSubscribers(of id: JobID) {
        jobs[id].subscribers = Subscribers()
    }

    /// Marks the jobs of an asset, so that the renditions that they make do not enter the cache.
    mutating func forbidCaching(of asset: AssetIdentifier) {
        for id in jobs.jobs(of: asset) { jobs[id].mayBeCached = false }
    }

    /// Makes a job read the whole file from now on, and not only ranges of it.
    mutating func fetchWhole(for id: JobID) {
        jobs[id].fetchWhole()
    }

    /// Takes a job out of the order of work until it can go on, for example until the bytes that it needs have arrived.
    mutating func park(_ id: JobID) {
        scheduler.park(id)
    }

    mutating func unpark(_ id: JobID) {
        scheduler.unpark(id)
    }

    /// Removes a job that waits, either in the queue or parked (taken out of the queue).
    mutating func removeQueued(_ id: JobID) {
        scheduler.removeQueued(id)
        jobs.remove(id)
    }

    /// Removes a job that is over: a worker has finished the job, or has finished the decode that the job waited for.
    mutating func retire(_ id: JobID) {
        if jobs[id].lead == nil { scheduler.finish(id) } else { scheduler.removeQueued(id) }
        jobs.remove(id)
    }

    // MARK: Starting, stopping and ending renders

    func candidate(includingSpeculative: Bool) -> JobID? {
        scheduler.candidate(includingSpeculative: includingSpeculative)
    }

    /// The running job that has to stop because a queued job with the priority `.userInitiated` needs a worker; nil if
    /// there is none.
    var preemption: JobID? { scheduler.preemption }

    /// The running job that has to stop because a queued job with the priority `.userInitiated` needs memory; nil if
    /// there is none.
    var preemptionForMemory: JobID? { scheduler.preemptionForMemory }

    /// Starts a job on an idle worker.
    ///
    /// - Parameters:
    ///   - alarm: the alarm for the end of the time that the render may take.
    ///   - companions: other jobs, whose renditions are made from the same decode. They wait until the decode ends.
    mutating func start(
        _ id: JobID, from source: RenderSource, sharing decode: SharedDecode?, with companions: [JobID],
        paidBy reservation: Reservation, alarm: AlarmHeap.Alarm, at now: MonotonicTime
    ) -> Job.Run {
        let worker = scheduler.start(id)
        lastRenderNumber += 1
        let run = Job.Run(
            token: CancellationToken(), reservation: reservation, start: now, renderNumber: lastRenderNumber,
            worker: worker, alarm: alarm, decode: decode, source: source, companions: companions)
        jobs[id].run = run
        return run
    }

    /// Notes that a running job has been told to stop.
    ///
    /// - Parameter restarts: whether the job begins again as soon as it has stopped. Its worker is then not free for
    ///   another job.
    mutating func stop(_ id: JobID, restarts: Bool = false) {
        scheduler.stop(id, restarts: restarts)
        guard !restarts, jobs.contains(id), case let job = jobs[id], job.run?.source.input == nil,
            !job.work.isStoppable(for: job.kind), !unstoppable.contains(id)
        else { return }
        unstoppable.append(id)
    }

    /// Marks a job as no longer running, after its worker has reported the outcome.
    ///
    /// - Returns: the facts about the run that has ended; nil if the job was not running.
    mutating func endRun(of id: JobID) -> Job.Run? {
        guard jobs.contains(id) else { return nil }
        return jobs[id].takeRun()
    }

    mutating func requeue(_ id: JobID) {
        scheduler.requeue(id)
    }

    /// Marks a render as overdue: it has run longer than the time limit, and its requests have failed. More requests
    /// can join its job, and get the image if the worker delivers one after all.
    ///
    /// - Parameter alarm: a new alarm, which rings when the time limit has passed once more. If the worker has not
    ///   finished by then, the requests that have joined since fail as well.
    /// - Returns: the jobs that joined the decode after its start. They do not fail with the render: the caller puts
    ///   them back into the queue, where they wait for another decode.
    mutating func markOverdue(_ id: JobID, alarm: AlarmHeap.Alarm) -> [JobID] {
        let latecomers = jobs[id].run?.latecomers ?? []
        jobs[id].run?.isOverdue = true
        jobs[id].run?.alarm = alarm
        jobs[id].run?.latecomers = []
        return latecomers
    }

    // MARK: Abandoning runs that cannot be stopped

    /// The running jobs that have been told to stop and whose decoders cannot be stopped, in the order in which they
    /// were told. None if as many runs are abandoned already as there are workers: the processors have enough to do
    /// then, so the jobs keep their workers until one of those runs has ended.
    mutating func unstoppableRuns() -> [JobID] {
        guard !unstoppable.isEmpty else { return [] }
        unstoppable = unstoppable.filter { jobs.contains($0) && jobs[$0].run != nil && !isRunning($0) }
        return abandoned.count < scheduler.workerCount ? unstoppable : []
    }

    /// Abandons the run of a job. The caller has to end the job, or to queue it again.
    ///
    /// - Returns: the facts about the run; nil if the job does not run.
    mutating func abandonRun(of id: JobID) -> Job.Run? {
        guard let run = endRun(of: id) else { return nil }
        let part = run.source.bytes == nil ? nil : jobs[id].filePart
        abandoned.append(AbandonedRun(token: run.token, reservation: run.reservation, part: part))
        return run
    }

    /// Notes that an abandoned run has ended.
    ///
    /// - Returns: the memory that was reserved for it; nil if the run with this token was not abandoned.
    mutating func endAbandoned(_ token: CancellationToken) -> Reservation? {
        abandoned.firstIndex { $0.token === token }.map { abandoned.remove(at: $0).reservation }
    }

    /// The bytes from a network that abandoned runs read.
    var partsReadByAbandoned: [FilePart] { abandoned.isEmpty ? [] : abandoned.compactMap(\.part) }

    // MARK: Decodes that several jobs share

    /// The other queued jobs of the same picture, the most urgent first. They may be able to share the decode of
    /// `lead`.
    func companionCandidates(for lead: Job) -> [(id: JobID, rank: JobRank)] {
        jobs.jobs(of: lead.assetIdentifier)
            .filter {
                $0 != lead.id && jobs[$0].compactKey.isOfSamePicture(as: lead.compactKey)
                    && scheduler.state(of: $0) == .queued
            }
            .map { (id: $0, rank: scheduler.rank(of: $0)) }
            .sorted { $0.rank < $1.rank }
    }

    /// Whether the job's asset has another job, whose decode this job might share.
    func hasSiblings(_ job: Job) -> Bool { jobs.hasSiblings(job) }

    /// Makes the job `id` wait for the decode of the job `lead`. That decode makes the renditions of both jobs.
    mutating func join(_ id: JobID, to lead: JobID) {
        scheduler.park(id)
        jobs[id].lead = lead
    }

    /// Makes a job wait for a decode that is already running for another job, `lead`. The caller has to restart that
    /// decode, so that it makes the renditions of both jobs.
    mutating func joinLate(_ id: JobID, to lead: JobID) {
        join(id, to: lead)
        jobs[lead].run?.latecomers.append(id)
    }

    /// Finds a running job that can be restarted so that its decode also makes the rendition of `job`; nil if there is
    /// none. The running job must be for the same picture, and must have started so recently that little work is lost.
    ///
    /// - Parameter addition: the decode that `job` alone would need.
    func decodeToRestart(for job: Job, joining addition: SharedDecode, at now: MonotonicTime) -> JobID? {
        jobs.jobs(of: job.assetIdentifier).first { lead in
            jobs[lead].compactKey.isOfSamePicture(as: job.compactKey)
                && jobs[lead].run?.decode?.joined(with: addition) != nil && canRestart(lead, at: now)
        }
    }

    /// Whether a running job can be restarted without losing much work. It can if it has run for less than a quarter of
    /// its predicted time, or if it has already been told to stop and begin again. A job is restarted `restartLimit`
    /// times at most.
    private func canRestart(_ id: JobID, at now: MonotonicTime) -> Bool {
        let job = jobs[id]
        guard let run = job.run, job.restartCount < Self.restartLimit, job.work.isStoppable(for: job.kind) else {
            return false
        }
        if isRunning(id) { return now.milliseconds(since: run.start) * 4 < job.work.predictedMilliseconds }
        return !run.latecomers.isEmpty
    }

    /// Puts a job that waited for another job's decode back into the queue.
    ///
    /// - Parameter restartCount: the new value of the job's `restartCount`. It is passed if the other job's decode is
    ///   restarted, because the restart counts for all jobs that share the decode. Nil leaves the value unchanged.
    mutating func requeueMember(_ id: JobID, restartCount: Int?) {
        jobs[id].lead = nil
        scheduler.unpark(id)
        if let restartCount { jobs[id].restartCount = restartCount }
    }

    mutating func countRestart(of id: JobID) {
        jobs[id].restartCount += 1
    }

    // MARK: Packing bitmaps (compressing them without loss)

    /// Starts to pack a cached bitmap into fewer bytes, on an idle worker.
    ///
    /// - Returns: the number of the worker, and the packing that runs on it.
    mutating func startPacking(
        _ input: RenderInput, into tier: MemoryTier, rank: JobRank, paidBy reservation: Reservation
    ) -> (worker: Int, packing: Packing) {
        let id = scheduler.add(rank: rank)
        let worker = scheduler.start(id)
        let packing = Packing(
            id: id, input: input, tier: tier, token: CancellationToken(), reservation: reservation)
        self.packing = packing
        return (worker, packing)
    }

    /// Ends the packing that has the identifier `id`, after its worker has reported the end. Packings and jobs have
    /// identifiers of the same kind, so `id` may also be that of a job.
    ///
    /// - Returns: the packing; nil if `id` is the identifier of a job.
    mutating func endPacking(_ id: JobID) -> Packing? {
        guard let packing, packing.id == id else { return nil }
        scheduler.finish(id)
        self.packing = nil
        return packing
    }

    // MARK: Predictions of memory, and freeing unused memory

    /// The memory in bytes that a render is expected to take for its working memory and its output. If several
    /// renditions share the decode, the outputs of all of them are counted.
    func predictedByteCount(
        of work: RenderWork, for kind: RenditionKey.Kind, sharing decode: SharedDecode? = nil
    ) -> Int {
        let alone = predictions.corrected(
            decode?.predictedByteCount ?? work.predictedByteCount(for: kind), of: work.memoryClass(for: kind))
        // Adds the memory that the render takes if a second worker helps with it. Only an idle worker can help, and
        // none helps with a preview. So for a preview, or if no other worker is idle now, nothing is added.
        guard kind != .preview, scheduler.runningCount + 1 < scheduler.workerCount else { return alone }
        let (sum, overflows) = alone.addingReportingOverflow(work.assistanceByteCount)
        return overflows ? alone : sum
    }

    /// Corrects the memory predictions for similar renders by the measured memory of this render. Does nothing if the
    /// image was made by another decoder than predicted.
    mutating func correctPrediction(
        for job: Job, _ run: Job.Run, with results: [Result<PipelineImage, ImageRequestError>], measured: Int
    ) {
        guard let memoryClass = job.work.memoryClass(for: job.kind),
            case .success(let image)? = results.first, image.facts.decoder == memoryClass.decoder
        else { return }
        let predicted = run.decode?.predictedByteCount ?? job.work.predictedByteCount(for: job.kind)
        predictions.correct(memoryClass, predicted: predicted, measured: measured)
    }

    /// Frees the storage of the scheduler if it is large and no job is left. Called only when an event has been handled
    /// completely. Until then, the state of jobs that have ended may still be looked up in this storage.
    ///
    /// - Returns: the number of jobs that the freed storage had room for; 0 if nothing was freed.
    mutating func shrink() -> Int {
        let count = scheduler.slotCount
        guard isEmpty, count > PipelineState.keptCapacity else { return 0 }
        scheduler.shrink()
        return count
    }
}

// MARK: Invariants

extension RenderBoard {
    var values: some Sequence<Job> { jobs.values }

    /// The bytes of the memory budget that are reserved for renders, abandoned ones among them, and for packing
    /// bitmaps.
    var reservedByteCount: Int {
        jobs.values.reduce(packing?.reservation.byteCount ?? 0) { $0 + ($1.run?.reservation.byteCount ?? 0) }
            + abandoned.reduce(0) { $0 + $1.reservation.byteCount }
    }

    func checkInvariants() throws(BrokenInvariant) {
        try scheduler.checkInvariants()
        try jobs.checkInvariants()
        try BrokenInvariant.require(
            abandoned.count <= scheduler.workerCount, "more runs are abandoned than there are workers")
        try BrokenInvariant.require(
            Set(unstoppable).count == unstoppable.count, "a job listed twice that cannot be stopped")
        for job in jobs.values {
            guard let run = job.run, run.source.input == nil, !job.work.isStoppable(for: job.kind) else { continue }
            try BrokenInvariant.require(
                isRunning(job.id) || unstoppable.contains(job.id), "a run that would never be abandoned")
        }
        // Checks that no job for a visible image waits for a worker while a prefetch that can be stopped occupies one.
        try BrokenInvariant.require(scheduler.preemption == nil, "a prefetch runs on in front of visible work")
        try BrokenInvariant.require(
            scheduler.candidate == nil || scheduler.preemptionForMemory == nil,
            "a prefetch keeps the memory that visible work lacks")
        for job in jobs.values {
            for id in job.run?.members ?? [] {
                try BrokenInvariant.require(
                    jobs.contains(id) && jobs[id].lead == job.id
                        && jobs[id].compactKey.isOfSamePicture(as: job.compactKey)
                        && jobs[id].kind == job.kind && scheduler.state(of: id) == .parked,
                    "a decode for what does not wait for it")
            }
            switch scheduler.state(of: job.id) {
            case .queued: try BrokenInvariant.require(job.run == nil, "a queued job runs")
            case .parked:
                try BrokenInvariant.require(job.run == nil, "a parked job runs")
                let isKnown = job.lead.map { jobs.contains($0) && jobs[$0].run?.members.contains(job.id) ?? false }
                try BrokenInvariant.require(isKnown ?? true, "waits for a decode that does not know of it")
            case .running, .stopping: try BrokenInvariant.require(job.run != nil, "a job runs that has no run")
            }
        }
    }
}
