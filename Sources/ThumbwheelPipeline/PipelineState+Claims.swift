import ThumbwheelCore
import ThumbwheelScheduling

// MARK: Claims, by which one server makes a rendition for several servers

extension PipelineState {
    /// Claims the rendition of a job: asks the shared store whether another server is making this rendition. This is
    /// done if the rendition was found in no storage tier, and if the claim is predicted to take little time compared
    /// with making the rendition. The job is parked (taken out of the queue for workers) until the claim is answered.
    ///
    /// A rendition that is probably too large for the shared store is not claimed: other servers would wait for a result
    /// that never comes. A rendition that only caching managers want is not claimed either. The result of a claimed
    /// rendition must be stored at once, because other servers wait for it; but a rendition for a caching manager is
    /// stored only when a request uses it.
    ///
    /// - Returns: whether the job waits for the answer.
    mutating func beginClaim(for jobID: JobID, at now: MonotonicTime) -> Bool {
        let job = renders[jobID]
        guard claims.hasRoom, job.mayBeCached, !job.subscribers.isEmpty,
            StorageTier.shared.isLikelyToKeep(
                outputByteCount: job.work.outputByteCount, isFile: job.key.encoding != nil),
            lookUps.isWorthClaiming(.shared, instead: predictedMilliseconds(of: job))
        else { return false }
        let (id, token) = (claims.nextID(), CancellationToken())
        let timeout = configuration.claimTimeout
        claims.begin(
            id, for: jobID, alarm: alarms.add(.claim(id), at: now.advanced(by: max(timeout, .milliseconds(1)))),
            token: token)
        accounts.claimed()
        emit(.claim(ClaimAssignment(id: id, key: job.key, work: job.work, lifetime: timeout, token: token)))
        return true
    }

    /// Handles the answer to a claim. A rendition that another server has made is cached and delivered. Otherwise this
    /// pipeline makes it.
    package mutating func finishClaim(_ id: ClaimID, with outcome: consuming ClaimOutcome, at now: MonotonicTime) {
        let isWon = outcome.isWon
        guard let claim = claims.end(id, isWon: isWon) else { preconditionFailure("a claim ended that nobody made") }
        if let alarm = claim.alarm { alarms.remove(alarm) }
        if let job = claim.job {
            accounts.claimAnswered(outcome)
            switch consume outcome {
            case .found(let image):
                take(.found(image), for: renders[job], from: .shared, isPaidFor: false, at: now)
            case .refused(let error): take(.refused(error), for: renders[job], from: .shared, at: now)
            case .won, .unavailable: makeWithoutTiers(job, at: now)
            }
        } else if isWon {
            emit(.endClaim(id))
        }
        dispatch(at: now)
    }

    /// Handles a claim that another server has not answered in time. The job stops waiting for that server, and this
    /// pipeline makes the rendition itself.
    mutating func claimTimedOut(_ id: ClaimID, at now: MonotonicTime) {
        guard let (job, token) = claims.stopWaiting(for: id) else { return }
        emit(.stopClaim(token))
        makeWithoutTiers(job, at: now)
    }

    /// Ends the claim of a job that is over, if it has one.
    mutating func endClaim(of job: JobID) {
        guard claims.hasJobs else { return }
        switch claims.removeJob(job) {
        case nil: break
        case .asked(let alarm, let token):
            if let alarm { alarms.remove(alarm) }
            emit(.stopClaim(token))
        case .won(let id): emit(.endClaim(id))
        }
    }
}
