import ThumbwheelCore

/// Carries out what a pipeline decides: on threads in a manager, on a virtual clock in replays, by hand in simulations.
package protocol PipelineInterpreter {
    /// Run a job on an idle worker and report with `finish`.
    mutating func start(_ assignment: RenderAssignment)
    /// Have a running job stop as soon as it can; it still reports.
    mutating func stop(_ token: CancellationToken)
    /// Bring bytes over the network, in a stage of its own, and report with `progressFetch` and `finishFetch`.
    mutating func fetch(_ assignment: FetchAssignment)
    /// Have a running fetch stop as soon as it can; it still reports.
    mutating func stopFetch(_ token: CancellationToken)
    /// Empty the request's outbox: take from it until nothing comes, and deliver in that order.
    mutating func drain(_ id: ImageRequestID, to receiver: ResultReceiver)
    /// Deliver terminal results of requests that nothing else is left of.
    mutating func deliver(_ deliveries: [PipelineDelivery])
    /// Call `timePassed` at this time; instead of at a later one that was said before.
    mutating func wake(at time: MonotonicTime)
    /// Destroy something outside the lock.
    mutating func release(_ remnant: PipelineAction.Remnant)
    /// Have memory that is free go back to the system: tables that were large have been given up.
    mutating func returnFreePages()
    /// The pipeline is closed, its last render has ended, and none will start: its workers may end. Comes once.
    mutating func dismissWorkers()
    /// The same, and the last fetch has ended as well. Comes once, as the last action.
    mutating func becomeIdle()
}

extension PipelineInterpreter {
    package mutating func carryOut(_ action: PipelineAction) {
        switch action {
        case .start(let assignment): start(assignment)
        case .stop(let token): stop(token)
        case .fetch(let assignment): fetch(assignment)
        case .stopFetch(let token): stopFetch(token)
        case .drain(let id, let receiver): drain(id, to: receiver)
        case .deliver(let deliveries): deliver(deliveries)
        case .wake(let time): wake(at: time)
        case .release(let remnant): release(remnant)
        case .returnFreePages: returnFreePages()
        case .dismissWorkers: dismissWorkers()
        case .idle: becomeIdle()
        }
    }
}
