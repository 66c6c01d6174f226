import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

// MARK: Look-ups in stores outside memory

extension PipelineState {
    /// Whether storage tiers (stores outside memory) keep renditions of this key's kind. They keep neither original
    /// files nor previews. Making a preview takes about as long as finding it in a tier.
    private func isKeptByTiers(_ key: RenditionKey) -> Bool { key.kind == .high || key.kind == .fast }

    /// Whether a request for a rendition waits for a look-up in a storage tier (a store outside memory), or would wait
    /// if it were submitted now. If so, the request is not ended for lack of network access, because a tier may have
    /// the rendition.
    func asksTiers(for key: RenditionKey, _ work: RenderWork) -> Bool {
        guard !lookUps.tiers.isEmpty, isKeptByTiers(key) else { return false }
        return renders[key].map { isLookingUp($0) }
            ?? lookUps.tiers.contains { !lookUps.isHanging($0) && Self.mayKeep(key, work, in: $0) }
    }

    /// Whether the job of a rendition waits for a storage tier: for a look-up, or for the answer to a claim.
    package func isLookingUp(_ key: RenditionKey) -> Bool { renders[key].map { isLookingUp($0) } ?? false }

    func isLookingUp(_ job: JobID) -> Bool { lookUps.isLookingUp(job) || claims.isAsking(job) }

    private static func mayKeep(_ key: RenditionKey, _ work: RenderWork, in tier: StorageTier) -> Bool {
        tier.mayKeep(outputByteCount: work.outputByteCount, isFile: key.encoding != nil)
    }

    /// The predicted time of making a job's rendition; infinite if that needs a network.
    func predictedMilliseconds(of job: Job) -> Double {
        job.readsRemoteBytes ? .infinity : job.work.predictedMilliseconds
    }

    /// Whether a running look-up has already taken longer than its storage tier's `timeoutMilliseconds`.
    package func hasTimedOut(_ id: LookUpID) -> Bool { lookUps.hasTimedOut(id) }

    /// Queues a look-up of a job's rendition in the next storage tier that is worth asking. The job is parked (taken
    /// out of the queue for workers) until the look-up is answered.
    ///
    /// - Parameter former: the tier that was asked last and did not have the rendition; nil if none has been asked.
    /// - Returns: whether the job waits for a look-up.
    mutating func beginLookUp(for id: JobID, after former: StorageTier? = nil) -> Bool {
        guard !lookUps.tiers.isEmpty, case let job = renders[id], isKeptByTiers(job.key),
            store.input(for: job.key, job.work) == nil
        else { return false }
        let isWaiting = lookUps.begin(
            id, after: former, rank: renders.rank(of: id), instead: predictedMilliseconds(of: job)
        ) { Self.mayKeep(job.key, job.work, in: $0) }
        guard isWaiting else { return false }
        if former == nil { renders.park(id) }
        return true
    }

    /// Starts the look-ups that can start. If there is no memory for a job's rendition, the job gives up its look-up.
    /// It then waits for memory like every job that is rendered.
    mutating func dispatchLookUps(at now: MonotonicTime) {
        guard !lookUps.isEmpty else { return }
        while let (id, jobID) = lookUps.candidate {
            let job = renders[jobID]
            guard makeRoom(for: job.work.outputByteCount, rank: renders.rank(of: jobID)) else {
                lookUps.removeJob(jobID)
                makeWithoutTiers(jobID, at: now)
                continue
            }
            let timeout =
                configuration.waitsForTiers
                ? LookUpBoard.endless : .microseconds(Int(id.tier.timeoutMilliseconds * 1_000))
            lookUps.start(
                id,
                LookUp.Run(
                    start: now, reservation: store.reserve(job.work.outputByteCount, for: .rendering),
                    alarm: alarms.add(.lookUp(id), at: now.advanced(by: timeout))))
            emit(.lookUp(LookUpAssignment(id: id, key: job.key, work: job.work)))
        }
    }

    /// Handles the answer of a storage tier. A rendition that was found is cached and delivered; one that is missing is
    /// looked up in the next tier, or made.
    package mutating func finishLookUp(_ id: LookUpID, with outcome: consuming LookUpOutcome, at now: MonotonicTime) {
        guard let lookUp = lookUps.end(id, isMeasured: outcome.isAnswer, at: now), let run = lookUp.run else {
            preconditionFailure("a look-up ended that does not run")
        }
        store.release(run.reservation)
        if let alarm = run.alarm { alarms.remove(alarm) }
        accounts.lookedUp(in: id.tier, outcome)
        if let job = lookUp.job { take(consume outcome, for: renders[job], from: id.tier, at: now) }
        dispatch(at: now)
    }

    /// Takes the answer of a storage tier for a job.
    ///
    /// - Parameter isPaidFor: whether memory was reserved for the rendition while it was looked up. If not, a rendition
    ///   that was found is cached only if there is room for it.
    mutating func take(
        _ outcome: consuming LookUpOutcome, for job: Job, from tier: StorageTier, isPaidFor: Bool = true,
        at now: MonotonicTime
    ) {
        switch outcome {
        case .found(let image):
            renders.removeQueued(job.id)
            dismiss(job)
            let shared = SharedImage(describe(image, of: job, from: tier), of: job.assetIdentifier)
            cache(shared, for: job, isPaidFor: isPaidFor)
            tellTiers(of: shared, for: job)
            deliver(shared, of: job, fromCache: false, at: now)
        case .refused(let error):
            tellTiers(of: error, for: job, foundIn: tier)
            failWaiting(job.id, error, at: now)
        case .missing:
            if beginLookUp(for: job.id, after: tier) { return }
            if tier == .shared, beginClaim(for: job.id, at: now) { return }
            makeWithoutTiers(job.id, at: now)
        case .unavailable: if !beginLookUp(for: job.id, after: tier) { makeWithoutTiers(job.id, at: now) }
        }
    }

    private func describe(_ image: PipelineImage, of job: Job, from tier: StorageTier) -> PipelineImage {
        var facts = image.facts
        facts.storageTier = tier
        facts.geometry = facts.pixelSize == job.work.geometry?.outputSize ? job.work.geometry : nil
        return PipelineImage(image.contents, facts)
    }

    /// Handles a job whose rendition no storage tier has supplied. The rendition must be made, so the job goes back
    /// into the queue or waits for a fetch of its bytes.
    mutating func makeWithoutTiers(_ id: JobID, at now: MonotonicTime) {
        renders.unpark(id)
        if source(of: renders[id].key, renders[id].work).isRemote {
            removeRequestsWithoutNetworkAccess(id)
            guard renders.contains(id) else { return }
        }
        awaitBytes(for: id)
        joinRunningDecode(id, at: now)
    }

    /// Removes from a job the requests that may not use the network, because the job needs the network now.
    private mutating func removeRequestsWithoutNetworkAccess(_ id: JobID) {
        let asset = renders[id].assetIdentifier
        for subscriber in renders[id].subscribers.inOrder {
            guard let slot = requests.slot(of: subscriber), case let request = requests[slot: slot],
                !allowsNetwork(request.isNetworkAccessAllowed)
            else { continue }
            if request.finalJob == id {
                requests.markLackingNetworkAccess(slot)
                requests.setFinalJob(nil, of: slot)
            } else {
                requests.setDegradedJob(nil, of: slot)
            }
            unsubscribe(subscriber, from: id)
            // The request ends now, unless a degraded image is still being made for it.
            if request.finalJob == id, request.degradedJob == nil {
                deliverFailure(.networkAccessRequired, to: subscriber, of: asset)
            } else {
                endIfLackingNetworkAccess(subscriber, of: asset)
            }
            guard renders.contains(id) else { return }
        }
    }

    /// Handles a look-up that takes longer than the `timeoutMilliseconds` of its storage tier: the job stops waiting
    /// for the answer. Its rendition is looked up in the next tier, or made. If the tier runs as many look-ups as it
    /// may, and all of them take longer, the tier hangs. The jobs that wait for their turn to ask a hanging tier then
    /// stop waiting too.
    mutating func lookUpTimedOut(_ id: LookUpID, at now: MonotonicTime) {
        let (job, reservation) = lookUps.markTimedOut(id, leaving: store.reserve(0, for: .rendering))
        // The memory reserved for the look-up is released now, because the tier will perhaps never answer.
        if let reservation { store.release(reservation) }
        var jobs = job.map { [$0] } ?? []
        if lookUps.isHanging(id.tier) {
            for job in lookUps.waitingJobs(in: id.tier) {
                lookUps.removeJob(job)
                jobs.append(job)
            }
        }
        for job in jobs where renders.contains(job) && !beginLookUp(for: job, after: id.tier) {
            makeWithoutTiers(job, at: now)
        }
    }

    // MARK: Passing results to the storage tiers

    /// The storage tiers to which a finished rendition is passed. If a tier already had the rendition, only the tiers
    /// that are asked before that tier get it. The tiers that are asked later got it when it was made.
    ///
    /// - Parameter origin: the tier in which the rendition was found; nil if it was made.
    private func tiersToTell(of key: RenditionKey, _ work: RenderWork, foundIn origin: StorageTier?) -> [StorageTier] {
        lookUps.tiers.filter { tier in
            Self.mayKeep(key, work, in: tier) && origin.map { tier.rawValue < $0.rawValue } ?? true
        }
    }

    /// Passes a finished rendition to the storage tiers at once in two cases:
    ///
    /// - A request waits for the rendition.
    /// - The job has won a claim: of all servers, only this one makes the rendition. Others may wait for it.
    ///
    /// Otherwise the rendition is noted in `unused`, and is passed to the tiers at its first use.
    ///
    /// - Parameter claim: the claim that the job has won; nil if it has none.
    mutating func tellTiers(of shared: SharedImage, for job: Job, claim: ClaimID? = nil) {
        let (key, facts) = (job.key, shared.facts)
        guard !lookUps.tiers.isEmpty, isKeptByTiers(key), job.mayBeCached, !facts.isPartial,
            case let tiers = tiersToTell(of: key, job.work, foundIn: facts.storageTier), !tiers.isEmpty
        else {
            if let claim { emit(.endClaim(claim)) }
            return
        }
        if job.subscribers.isEmpty, claim == nil {
            // Adds the rendition to `unused`, so that it is passed to the tiers at its first use. If the cache had no
            // room for the rendition, no request can use it, and it is not added.
            if store.contains(key), let former = unused.add(key, job.work) { emit(.release(.work(former))) }
        } else {
            emit(
                .keep(
                    KeepAssignment(key: key, work: job.work, result: .success(shared), tiers: tiers, claim: claim)))
        }
    }

    /// If a rendition cannot be made because its file is at fault, for example damaged, passes the reason to the
    /// storage tiers.
    ///
    /// - Parameters:
    ///   - origin: the tier in which the reason was found; nil if this pipeline has tried to make the rendition.
    ///   - claim: the claim that the job has won; nil if it has none.
    mutating func tellTiers(
        of error: ImageRequestError, for job: Job, foundIn origin: StorageTier? = nil, claim: ClaimID? = nil
    ) {
        guard !lookUps.tiers.isEmpty, isKeptByTiers(job.key), job.mayBeCached, error.isCausedByFile,
            case let tiers = tiersToTell(of: job.key, job.work, foundIn: origin), !tiers.isEmpty
        else {
            if let claim { emit(.endClaim(claim)) }
            return
        }
        emit(.keep(KeepAssignment(key: job.key, work: job.work, result: .failure(error), tiers: tiers, claim: claim)))
    }

    // MARK: Renditions that cannot be made, and first uses of renditions

    /// If a rendition could not be made because its file is at fault, notes the reason in memory and passes it to the
    /// storage tiers.
    ///
    /// - Parameter claim: the claim that the job has won; nil if it has none.
    mutating func note(_ error: ImageRequestError, for job: Job, claim: ClaimID?) {
        if job.mayBeCached { refusals.note(error, for: job.key) }
        tellTiers(of: error, for: job, claim: claim)
    }

    /// Lets a new job end at the next dispatch, if there is a note that its rendition cannot be made. The job is parked
    /// (taken out of the queue) until then.
    ///
    /// - Returns: whether the job ends.
    mutating func endSoon(_ id: JobID) -> Bool {
        guard refusals.count > 0, case let job = renders[id], let error = refusals.error(for: job.key),
            store.input(for: job.key, job.work) == nil
        else { return false }
        renders.park(id)
        refusals.end(id, because: error)
        return true
    }

    /// Ends the jobs that `endSoon` has parked, because there is a note that their renditions cannot be made.
    mutating func endRefused(at now: MonotonicTime) {
        guard !refusals.isIdle else { return }
        while let (id, error) = refusals.takeJob() {
            accounts.renderSpared()
            failWaiting(id, error, at: now)
        }
    }

    /// Passes a cached rendition to the storage tiers at its first use; does nothing at later uses.
    mutating func noteFirstUse(_ key: RenditionKey) {
        guard let work = unused.remove(key) else { return }
        guard let shared = store.peek(key) else { return emit(.release(.work(work))) }
        let tiers = tiersToTell(of: key, work, foundIn: shared.facts.storageTier)
        emit(.keep(KeepAssignment(key: key, work: work, result: .success(shared), tiers: tiers)))
    }
}
