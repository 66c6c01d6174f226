import ThumbwheelCore

/// A task that the pipeline gives its owner. The owner carries the task out after releasing the pipeline's lock.
/// `PipelineInterpreter` explains each case.
package enum PipelineAction: Sendable {
    case start(RenderAssignment)
    case stop(CancellationToken)
    case replaceThread(worker: Int)
    case drain(ImageRequestID, ResultReceiver)
    case deliver([PipelineDelivery])
    case wake(at: MonotonicTime)
    case fetch(FetchAssignment)
    case stopFetch(CancellationToken)
    case lookUp(LookUpAssignment)
    case keep(KeepAssignment)
    case claim(ClaimAssignment)
    case stopClaim(CancellationToken)
    case endClaim(ClaimID)
    case release(ReleasedValue)
    case returnFreePages
    case dismissWorkers
    case idle

    /// A value that the pipeline does not need any more. It may contain the last reference to pixels or to an object of
    /// the host, so it is destroyed outside the pipeline's lock.
    package enum ReleasedValue: Sendable {
        case image(SharedImage)
        case bytes(FetchedBytes)
        case work(RenderWork)
    }

    /// Whether the action may call a handler of the host (the program that uses this library). Such actions are carried
    /// out last, because handlers can take long.
    package var isDelivery: Bool {
        switch self {
        case .drain, .deliver: true
        default: false
        }
    }
}
