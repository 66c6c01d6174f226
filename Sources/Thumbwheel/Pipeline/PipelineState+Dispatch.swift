import ThumbwheelCore
import ThumbwheelScheduling

// MARK: When renders run

extension PipelineState {
    /// Starts what can start, and stops what has to make way.
    mutating func dispatch(at now: MonotonicTime) {
        defer { stampEvents(at: now) }
        guard !isHoldingDispatch else { return }
        // First of all: what they give back may be what others wait for.
        forgetUnwantedFetches()
        var hasRoomForSpeculation = true
        var lacksMemory = false
        while let id = scheduler.candidate(includingSpeculative: hasRoomForSpeculation) {
            let job = jobs[id]
            guard !needsNetwork(for: job.key, job.work) else {
                refuseNetwork(to: id)
                // Where nobody else wanted it, it is gone.
                if jobs.contains(id) { awaitBytes(for: id) }
                continue
            }
            let input = input(for: job.key, job.work)
            // Used, and the last to go of what makes room.
            if let input { touch(input) }
            guard makeRoom(forRunning: job) else {
                // What nobody waits for must not keep back what somebody does.
                guard scheduler.rank(of: id).isSpeculative else {
                    lacksMemory = true
                    break
                }
                hasRoomForSpeculation = false
                continue
            }
            // What made room may be the very pixels, or the very bytes, that it was to be made of.
            guard input.map({ isAtHand($0) }) ?? !needsNetwork(for: job.key, job.work) else { continue }
            start(job, at: now)
        }
        while let id = scheduler.preemption { haveMakeWay(id) }
        if lacksMemory, let id = scheduler.preemptionForMemory { haveMakeWay(id) }
        let fetchesLackMemory = dispatchFetches(at: now)
        packColdest()
        watchMemory(isLacking: lacksMemory || !hasRoomForSpeculation || fetchesLackMemory, at: now)
    }

    private mutating func haveMakeWay(_ id: JobID) {
        if let packing, packing.id == id {
            scheduler.stop(id)
            emit(.stop(packing.token))
        } else {
            tellToStop(id, jobs[id].run!)
        }
    }

    private mutating func start(_ job: Job, at now: MonotonicTime) {
        let id = job.id
        let (decode, companions) = takeCompanions(of: job)
        let input = input(for: job.key, job.work)
        if let input { beginReading(input) } else { for id in [id] + companions { keepBytes(for: id) } }
        let reservation = budget.reserve(predictedByteCount(of: job, decode), for: .rendering)
        let worker = scheduler.start(id)
        lastRenderNumber += 1
        counts.renders.started += 1
        let run = Job.Run(
            token: CancellationToken(),
            reservation: reservation,
            start: now, renderNumber: lastRenderNumber, worker: worker, alarm: addTimeLimit(for: id, at: now),
            decode: decode, input: input, companions: companions)
        jobs[id].run = run
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
                    worker: worker, job: id, key: job.key, companions: companions.map { jobs[$0].key },
                    work: job.work, input: input, bytes: fetch(for: job)?.bytes,
                    token: run.token)))
    }

    /// - Parameter restarts: whether the job goes on at once, so that its worker is free for no other.
    mutating func tellToStop(_ id: JobID, _ run: Job.Run, restarts: Bool = false) {
        scheduler.stop(id, restarts: restarts)
        note(.renderToldToStop(number: run.renderNumber, worker: run.worker))
        emit(.stop(run.token))
    }
}
