import ThumbwheelCore

/// An object that carries out the actions of a pipeline. A manager carries them out on threads. A replay, which runs a
/// recorded series of requests again, carries them out on a virtual clock. A simulation carries them out one by one.
package protocol PipelineInterpreter {
    /// Runs a job on an idle worker and reports the outcome with `finish`.
    mutating func start(_ assignment: RenderAssignment)
    /// Tells a running job to stop as soon as it can. The job still reports its outcome.
    mutating func stop(_ token: CancellationToken)
    /// Gives a worker another thread, because the pipeline has abandoned the job on it. The thread of that job is no
    /// longer the worker's. When the job is over, it is reported with `endAbandoned` instead of `finish`.
    mutating func replaceThread(ofWorker worker: Int)
    /// Fetches bytes over the network without keeping a render worker busy, and reports with `progressFetch` and
    /// `finishFetch`.
    mutating func fetch(_ assignment: FetchAssignment)
    /// Tells a running fetch to stop as soon as it can. The fetch still reports its outcome.
    mutating func stopFetch(_ token: CancellationToken)
    /// Looks a rendition up in a storage tier without keeping a render worker busy, and reports the
    /// outcome with `finishLookUp`.
    mutating func lookUp(_ assignment: LookUpAssignment)
    /// Passes a rendition, or the reason why it cannot be made, to storage tiers, and returns before they have written
    /// it.
    mutating func keep(_ assignment: KeepAssignment)
    /// Claims a rendition: asks the shared store whether another server is making it. The claim keeps no render worker
    /// busy, and its answer is reported with `finishClaim`.
    mutating func claim(_ assignment: ClaimAssignment)
    /// Cancels a claim whose answer no job waits for any more. The store still answers the claim, with little delay.
    mutating func stopClaim(_ token: CancellationToken)
    /// Ends a claim that this pipeline has won (`.won`) but for which it stores no result, so that another server can
    /// make the rendition.
    mutating func endClaim(_ id: ClaimID)
    /// Empties a request's outbox, which has the results that wait for delivery: takes results until none is left, and
    /// delivers them in that order.
    mutating func drain(_ id: ImageRequestID, to receiver: ResultReceiver)
    /// Delivers the terminal results of requests that have ended and that are not in the pipeline's tables any more.
    mutating func deliver(_ deliveries: [PipelineDelivery])
    /// Arranges one call of `timePassed` at `time`. If such a call is still arranged for another time, `time` replaces
    /// that time.
    mutating func wake(at time: MonotonicTime)
    /// Destroys a value that the pipeline does not need any more, outside the pipeline's lock.
    mutating func release(_ value: PipelineAction.ReleasedValue)
    /// Returns free memory to the system, because large tables have been freed.
    mutating func returnFreePages()
    /// Lets the workers end, because the pipeline is closed, its last render has ended, and no other will start. Called
    /// once.
    mutating func dismissWorkers()
    /// Called once, as the last action: the pipeline is closed, and no render, fetch or look-up runs any more.
    mutating func becomeIdle()
}

extension PipelineInterpreter {
    package mutating func carryOut(_ action: PipelineAction) {
        switch action {
        case .start(let assignment): start(assignment)
        case .stop(let token): stop(token)
        case .replaceThread(let worker): replaceThread(ofWorker: worker)
        case .fetch(let assignment): fetch(assignment)
        case .stopFetch(let token): stopFetch(token)
        case .drain(let id, let receiver): drain(id, to: receiver)
        case .deliver(let deliveries): deliver(deliveries)
        case .wake(let time): wake(at: time)
        case .lookUp(let assignment): lookUp(assignment)
        case .keep(let assignment): keep(assignment)
        case .claim(let assignment): claim(assignment)
        case .stopClaim(let token): stopClaim(token)
        case .endClaim(let id): endClaim(id)
        case .release(let value): release(value)
        case .returnFreePages: returnFreePages()
        case .dismissWorkers: dismissWorkers()
        case .idle: becomeIdle()
        }
    }
}
