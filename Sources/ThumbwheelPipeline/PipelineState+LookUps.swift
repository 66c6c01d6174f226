import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

// MARK: Tiers below memory

extension PipelineState {
    /// Whether a rendition may lie in a tier below memory. Previews are made as fast as they are found, and files of assets are
    /// not made at all.
    private func isKeptBelow(_ key: RenditionKey) -> Bool { key.kind == .high || key.kind == .fast }

    /// Whether a request for a rendition waits for a look-up, or would if it were submitted now.
    func asksTiers(for key: RenditionKey) -> Bool {
        guard !lookUps.tiers.isEmpty, isKeptBelow(key) else { return false }
        return renders[key].map { lookUps.isLookingUp($0) } ?? !lookUps.tiers.allSatisfy { lookUps.isHanging($0) }
    }

    /// Whether the job of a rendition waits for a tier below memory.
    package func isLookingUp(_ key: RenditionKey) -> Bool { renders[key].map { lookUps.isLookingUp($0) } ?? false }

    /// Whether a look-up runs for longer than its tier may take.
    package func isHanging(_ id: LookUpID) -> Bool { lookUps.isHanging(id) }

    /// Looks a new job's rendition up in the tiers below memory. The job is parked until they have answered.
    ///
    /// - Returns: whether the job waits for an answer.
    mutating func beginLookUp(for id: JobID, after former: StorageTier? = nil) -> Bool {
        guard !lookUps.tiers.isEmpty, case let job = renders[id], isKeptBelow(job.key),
            store.input(for: job.key, job.work) == nil
        else { return false }
        let milliseconds = job.readsRemoteBytes ? .infinity : job.work.predictedMilliseconds
        guard lookUps.begin(id, after: former, rank: renders.rank(of: id), instead: milliseconds) else { return false }
        if former == nil { renders.park(id) }
        return true
    }

    /// Starts the look-ups that can start. Jobs for whose renditions there is no room wait for that room like others.
    mutating func dispatchLookUps(at now: MonotonicTime) {
        guard !lookUps.isEmpty else { return }
        while let (id, jobID) = lookUps.candidate {
            let job = renders[jobID]
            guard makeRoom(for: job.work.outputByteCount, rank: renders.rank(of: jobID)) else {
                lookUps.leave(jobID)
                makeWithoutTiers(jobID, at: now)
                continue
            }
            let patience = Duration.microseconds(Int(id.tier.patienceMilliseconds * 1_000))
            lookUps.start(
                id,
                LookUp.Run(
                    start: now, reservation: store.reserve(job.work.outputByteCount, for: .rendering),
                    alarm: alarms.add(.lookUp(id), at: now.advanced(by: patience))))
            emit(.lookUp(LookUpAssignment(id: id, key: job.key, work: job.work)))
        }
    }

    /// Takes a tier's answer.
    package mutating func finishLookUp(_ id: LookUpID, with outcome: consuming LookUpOutcome, at now: MonotonicTime) {
        guard let lookUp = lookUps.end(id, at: now), let run = lookUp.run else {
            preconditionFailure("a look-up ended that does not run")
        }
        store.release(run.reservation)
        if let alarm = run.alarm { alarms.remove(alarm) }
        accounts.lookedUpBelow(outcome)
        if let job = lookUp.job { take(consume outcome, for: renders[job], from: id.tier, at: now) }
        dispatch(at: now)
    }

    private mutating func take(
        _ outcome: consuming LookUpOutcome, for job: Job, from tier: StorageTier, at now: MonotonicTime
    ) {
        switch outcome {
        case .found(let image):
            renders.removeQueued(job.id)
            dismiss(job)
            let shared = SharedImage(describe(image, of: job, from: tier), of: job.compactKey.asset)
            keep(shared, for: job)
            deliver(shared, of: job, fromCache: false, at: now)
        case .refused(let error): failWaiting(job.id, error, at: now)
        case .missing: if !beginLookUp(for: job.id, after: tier) { makeWithoutTiers(job.id, at: now) }
        }
    }

    private func describe(_ image: PipelineImage, of job: Job, from tier: StorageTier) -> PipelineImage {
        var facts = image.facts
        facts.origin = tier
        facts.geometry = facts.pixelSize == job.work.geometry?.outputSize ? job.work.geometry : nil
        return PipelineImage(image.contents, facts)
    }

    /// Lets a job whose rendition no tier has be made like any other.
    private mutating func makeWithoutTiers(_ id: JobID, at now: MonotonicTime) {
        renders.unpark(id)
        if source(of: renders[id].key, renders[id].work).isElsewhere {
            leaveOutOfReach(id)
            guard renders.contains(id) else { return }
        }
        awaitBytes(for: id)
        joinRunningDecode(id, at: now)
    }

    /// Takes from a job the requests that may not use the network, which the job needs now.
    private mutating func leaveOutOfReach(_ id: JobID) {
        let asset = renders[id].compactKey.asset
        for subscriber in renders[id].subscribers.inOrder {
            guard let slot = requests.slot(of: subscriber), case let request = requests[slot: slot],
                !allowsNetwork(request.isNetworkAccessAllowed)
            else { continue }
            if request.finalJob == id {
                requests.markOutOfReach(slot)
                requests.setFinalJob(nil, of: slot)
            } else {
                requests.setDegradedJob(nil, of: slot)
            }
            unsubscribe(subscriber, from: id)
            // The request ends now, unless another job still makes an image for it.
            if request.finalJob == id, request.degradedJob == nil {
                deliverFailure(.networkAccessRequired, to: subscriber, of: asset)
            } else {
                endOutOfReach(subscriber, of: asset)
            }
            guard renders.contains(id) else { return }
        }
    }

    /// Lets the jobs that wait for a tier that hangs be made without it.
    mutating func endPatience(_ id: LookUpID, at now: MonotonicTime) {
        let (job, reservation) = lookUps.noteHanging(id, paidBy: store.reserve(0, for: .rendering))
        // The tier may never answer, so that the memory must not wait for it.
        if let reservation { store.release(reservation) }
        var jobs = job.map { [$0] } ?? []
        if lookUps.isHanging(id.tier) {
            for job in lookUps.waitingJobs(in: id.tier) {
                lookUps.leave(job)
                jobs.append(job)
            }
        }
        for job in jobs where renders.contains(job) && !beginLookUp(for: job, after: id.tier) {
            makeWithoutTiers(job, at: now)
        }
    }

    // MARK: Telling the tiers

    /// Hands a finished rendition to the tiers below memory, or notes it for its first use.
    mutating func tellTiers(of shared: SharedImage, for job: Job) {
        let key = job.key
        guard !lookUps.tiers.isEmpty, isKeptBelow(key), job.isForKeeping, !shared.facts.isPartial,
            shared.facts.origin == nil
        else { return }
        if job.subscribers.isEmpty {
            // A rendition that found no room in memory is not seen by anybody.
            if store.contains(key), let former = unseen.add(key, job.work) { emit(.release(.work(former))) }
        } else {
            emit(.keep(KeepAssignment(key: key, work: job.work, result: .success(shared))))
        }
    }

    /// Hands the reason why a rendition cannot be made to the tiers below memory.
    mutating func tellTiers(of error: ImageRequestError, for job: Job) {
        guard !lookUps.tiers.isEmpty, isKeptBelow(job.key), job.isForKeeping, error.isOfTheFile else { return }
        emit(.keep(KeepAssignment(key: job.key, work: job.work, result: .failure(error))))
    }

    /// Notes the first use of a cached rendition, which the tiers below memory are told of.
    mutating func noteSeen(_ key: RenditionKey) {
        guard let work = unseen.remove(key) else { return }
        guard let shared = store.peek(key) else { return emit(.release(.work(work))) }
        emit(.keep(KeepAssignment(key: key, work: work, result: .success(shared))))
    }
}

extension ImageRequestError {
    /// Whether the bytes of the file are the reason, so that another attempt would fail as well.
    fileprivate var isOfTheFile: Bool {
        switch self {
        case .rendering(.malformed), .rendering(.truncated), .rendering(.unsupportedFormat): true
        default: false
        }
    }
}
