import ThumbwheelCore
import ThumbwheelScheduling

// MARK: Renders: who wants them, when they run, what becomes of them

extension PipelineState {
    /// A worker reports how its job ended.
    package mutating func finish(_ id: JobID, with outcome: RenderOutcome, at now: MonotonicTime) {
        guard let job = jobs[id.slot], job.id == id, let run = job.run else {
            preconditionFailure("a job finished that does not run")
        }
        jobs[id.slot]!.run = nil
        budget.release(run.reservation)
        alarms.remove(run.alarm)
        switch outcome {
        case .ended(let results): end(run, of: job, with: results, at: now)
        case .failed(let error): fail(run, of: job, because: error, at: now)
        case .stopped where run.isOverdue: fail(run, of: job, because: .timeLimitExceeded, at: now)
        case .stopped:
            record(run, of: job.key, at: now, end: .stopped)
            // Preempted, begins again for one more, or is wanted again since it was told to stop.
            let isWanted = rank(ofAll: [id] + run.members) != nil
            if isWanted { counts.renders.preempted += 1 } else { counts.renders.stopped += 1 }
            note(.renderEnded(number: run.renderNumber, worker: run.worker, isWanted ? .preempted : .stopped))
            if rank(of: job) == nil {
                retire(job)
            } else {
                scheduler.requeue(id)
                updateRank(of: id)
            }
            release(run.members, countingRestartOf: run.latecomers.isEmpty ? nil : job)
            dispatch(at: now)
            return
        }
        release(run.latecomers)
        dispatch(at: now)
    }

    private mutating func end(
        _ run: Job.Run, of job: Job, with results: [Result<PipelineImage, ImageRequestError>], at now: MonotonicTime
    ) {
        precondition(results.count == 1 + run.companions.count, "a render for \(results.count) renditions")
        counts.renders.finished += 1
        counts.renders.shared += run.companions.count
        note(.renderEnded(number: run.renderNumber, worker: run.worker, .finished))
        record(run, of: job.key, at: now, end: .finished)
        for (id, result) in zip([job.id] + run.companions, results) {
            let job = jobs[id.slot]!
            let fetch = fetch(for: job)
            retire(job)
            switch result {
            case .success(var image):
                image.isOfLargerDecode = run.decode.map { $0.eighths != job.work.decodeEighths } ?? false
                image.renderNumber = run.renderNumber
                image.renderMilliseconds = now.milliseconds(since: run.start)
                if let fetch {
                    image.isFromNetwork = true
                    image.networkMilliseconds = fetch.milliseconds
                }
                let shared = SharedImage(image, of: job.key.subject.asset)
                keep(shared, for: job)
                deliver(shared, of: job, at: now)
            case .failure(let error):
                for subscriber in job.subscribers { fail(error, job: job, for: subscriber, at: now) }
            }
        }
    }

    private mutating func fail(
        _ run: Job.Run, of job: Job, because error: ImageRequestError, at now: MonotonicTime
    ) {
        counts.renders.failed += 1
        note(.renderEnded(number: run.renderNumber, worker: run.worker, .failed))
        record(run, of: job.key, at: now, end: .failed)
        for id in [job.id] + run.companions {
            let job = jobs[id.slot]!
            retire(job)
            for subscriber in job.subscribers { fail(error, job: job, for: subscriber, at: now) }
        }
    }

    /// A subscriber's job has failed: without a degraded image it goes on; a damaged file whose full rendering was only
    /// one of the things it would take is rendered as far as it goes; anything else ends it.
    mutating func fail(
        _ error: ImageRequestError, job: Job, for id: ImageRequestID, at now: MonotonicTime
    ) {
        guard let request = requests[id], !request.hasEnded else { return }
        guard request.finalJob == job.id else {
            requests[id]!.degradedJob = nil
            endOutOfReach(id)
            return
        }
        requests[id]!.finalJob = nil
        if request.request.deliveryMode == .opportunistic, job.key.kind == .high, error.leavesPartialImage {
            let key = job.key.with(.fast)
            if let image = cache.value(forKey: key) {
                deliverFinal(image, to: id, fromCache: true, at: now)
            } else {
                requests[id]!.finalJob = subscribe(id, to: key, work: job.work)
            }
        } else {
            deliverFailure(error, to: id)
        }
    }

    /// The bytes of a parked job cannot be had.
    mutating func failWaiting(_ id: JobID, _ error: ImageRequestError, at now: MonotonicTime) {
        let job = jobs[id.slot]!
        scheduler.removeQueued(id)
        forget(job)
        for subscriber in job.subscribers { fail(error, job: job, for: subscriber, at: now) }
    }

    // MARK: Subscribing

    /// Has `id` wait for a rendition, in a job that exists or a new one.
    mutating func subscribe(_ id: ImageRequestID, to key: RenditionKey, work: RenderWork) -> JobID {
        var rank = rank(of: id, for: key)
        guard let job = jobIDs[key] else {
            if let hold = holds[key]?.rank.awaited { rank = min(rank, hold) }
            return addJob(for: key, work: work, rank: rank, subscribers: [id])
        }
        counts.requests.coalesced += 1
        note(.requestCoalesced(id))
        // Not `updateRank`, which looks at all subscribers: joining costs the same whatever their number.
        let others = jobs[job.slot]!.subscribers.isEmpty ? holds[key]?.rank.awaited : scheduler.rank(of: job)
        if let others { rank = min(rank, others) }
        jobs[job.slot]!.subscribers.append(id)
        guard !jobs[job.slot]!.isInCompany else {
            updateRank(of: job)
            return job
        }
        scheduler.setRank(rank, of: job)
        updateRank(ofFetchFor: jobs[job.slot]!)
        return job
    }

    mutating func unsubscribe(_ id: ImageRequestID, from job: JobID) {
        guard jobs[job.slot]?.id == job, let index = jobs[job.slot]!.subscribers.firstIndex(of: id) else { return }
        // Only where the leaving subscriber was the most urgent of all, or the last, does the rank change.
        let wasDecisive = scheduler.rank(of: job) == rank(of: id, for: jobs[job.slot]!.key)
        jobs[job.slot]!.subscribers.remove(at: index)
        if wasDecisive || jobs[job.slot]!.subscribers.isEmpty { updateRank(of: job) }
    }

    @discardableResult
    mutating func addJob(
        for key: RenditionKey, work: RenderWork, rank: JobRank, subscribers: [ImageRequestID]
    ) -> JobID {
        let id = scheduler.add(rank: rank)
        while jobs.count <= id.slot { jobs.append(nil) }
        jobs[id.slot] = Job(id: id, key: key, work: work, subscribers: subscribers)
        jobIDs[key] = id
        if decodeEighths(for: key, work) != nil { decodingJobs[key.subject, default: []].append(id) }
        awaitBytes(for: id)
        return id
    }

    /// Gives a job the rank of the most urgent of those who want it; drops or stops it where nobody does.
    mutating func updateRank(of id: JobID) {
        let job = jobs[id.slot]!
        if let lead = job.lead {
            if let rank = rank(of: job) { scheduler.setRank(rank, of: id) }
            updateRank(of: lead)
            return
        }
        if let rank = job.run.map({ rank(ofAll: [id] + $0.members) }) ?? rank(of: job) {
            scheduler.setRank(rank, of: id)
            updateRank(ofFetchFor: job)
            return
        }
        if let run = job.run {
            if case .running = scheduler.state(of: id) { tellToStop(id, run) }
        } else {
            scheduler.removeQueued(id)
            forget(job)
        }
    }

    /// The most urgent rank among a job's subscribers and windows; nil where it has none.
    func rank(of job: Job) -> JobRank? {
        let hold = holds[job.key]?.rank
        // A window may want it more, and yet a request waits for it.
        var best = job.subscribers.isEmpty ? hold : hold?.awaited
        for subscriber in job.subscribers {
            let rank = rank(of: subscriber, for: job.key)
            if best.map({ rank < $0 }) ?? true { best = rank }
        }
        return best
    }

    private func rank(of id: ImageRequestID, for key: RenditionKey) -> JobRank {
        let request = requests[id]!
        let (priority, work) = (request.request.priority, request.request.work)
        var urgency = request.request.urgency
        // Previews all cost about the same; and nobody looks at the blank places of what is not visible.
        if configuration.weighsCost, priority == .userInitiated, key.kind != .preview {
            urgency = JobRank.urgency(urgency, weighedAgainst: work.predictedMilliseconds)
        }
        return JobRank(
            priority: priority, stage: key.kind == .preview ? .degraded : .final,
            isStoppable: work.isStoppable(for: key.kind), urgency: urgency, sequence: request.sequence)
    }

    /// Forgets a job whose worker is done with it.
    private mutating func retire(_ job: Job) {
        if job.lead == nil { scheduler.finish(job.id) } else { scheduler.removeQueued(job.id) }
        forget(job)
    }

    mutating func forget(_ job: Job) {
        jobs[job.id.slot] = nil
        jobIDs[job.key] = nil
        leaveFetch(job)
        guard decodeEighths(for: job.key, job.work) != nil else { return }
        let subject = job.key.subject
        decodingJobs[subject]!.removeAll { $0 == job.id }
        if decodingJobs[subject]!.isEmpty { decodingJobs[subject] = nil }
    }

    // MARK: Running

    /// Starts what can start, and stops what has to make way.
    mutating func dispatch(at now: MonotonicTime) {
        defer { stampEvents(at: now) }
        guard !isHoldingDispatch else { return }
        // First of all: what they give back may be what others wait for.
        forgetUnwantedFetches()
        var hasRoomForSpeculation = true
        var lacksMemory = false
        while let id = scheduler.candidate(includingSpeculative: hasRoomForSpeculation) {
            let job = jobs[id.slot]!
            guard !needsNetwork(for: job.key, job.work) else {
                refuseNetwork(to: id)
                // Where nobody else wanted it, it is gone.
                if jobs[id.slot]?.id == id { awaitBytes(for: id) }
                continue
            }
            guard makeRoom(forRunning: job) else {
                // What nobody waits for must not keep back what somebody does.
                guard scheduler.rank(of: id).isSpeculative else {
                    lacksMemory = true
                    break
                }
                hasRoomForSpeculation = false
                continue
            }
            // What made room may be the very pixels that were to be encoded.
            guard !needsNetwork(for: job.key, job.work) else { continue }
            start(job, at: now)
        }
        while let id = scheduler.preemption { tellToStop(id, jobs[id.slot]!.run!) }
        if lacksMemory, let id = scheduler.preemptionForMemory { tellToStop(id, jobs[id.slot]!.run!) }
        dispatchFetches(at: now)
    }

    private mutating func start(_ job: Job, at now: MonotonicTime) {
        let id = job.id
        // Before the first can be given up for anybody else's.
        let pixels = pixelsToEncode(for: job.key)
        let (decode, companions) = takeCompanions(of: job)
        let worker = scheduler.start(id)
        lastRenderNumber += 1
        counts.renders.started += 1
        let run = Job.Run(
            token: CancellationToken(),
            reservation: budget.reserve(
                decode?.predictedByteCount ?? job.work.predictedByteCount(for: job.key.kind), for: .rendering),
            start: now, renderNumber: lastRenderNumber, worker: worker, alarm: addTimeLimit(for: id, at: now),
            decode: decode, companions: companions)
        jobs[id.slot]!.run = run
        if !companions.isEmpty { updateRank(of: id) }
        let priority = scheduler.rank(of: id).priority
        note(
            .renderStarted(
                PipelineEvent.Render(
                    number: run.renderNumber, worker: worker, asset: job.key.subject.asset,
                    kind: "\(job.key.kind)", targetSize: job.key.options.targetSize, priority: priority)))
        emit(
            .start(
                RenderAssignment(
                    worker: worker, job: id, key: job.key, companions: companions.map { jobs[$0.slot]!.key },
                    work: job.work, pixels: pixels, bytes: fetch(for: job)?.bytes, token: run.token)))
    }

    /// - Parameter restarts: whether the job goes on at once, so that its worker is free for no other.
    mutating func tellToStop(_ id: JobID, _ run: Job.Run, restarts: Bool = false) {
        scheduler.stop(id, restarts: restarts)
        note(.renderToldToStop(number: run.renderNumber, worker: run.worker))
        emit(.stop(run.token))
    }
}

extension JobRank {
    /// The same for a job that somebody waits for.
    var awaited: JobRank {
        var rank = self
        rank.isSpeculative = false
        return rank
    }
}

extension ImageRequestError {
    /// Whether a part of the image could be shown all the same (the decision on partial data).
    fileprivate var leavesPartialImage: Bool {
        switch self {
        case .rendering(.truncated), .rendering(.malformed): true
        default: false
        }
    }
}
