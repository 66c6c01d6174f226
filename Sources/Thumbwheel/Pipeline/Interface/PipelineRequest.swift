import ThumbwheelCore
import ThumbwheelScheduling

/// One request for an image, as submitted to the pipeline.
package struct PipelineRequest: Sendable {
    /// The final rendition.
    package var key: RenditionKey
    package var deliveryMode: DeliveryMode
    package var priority: RequestPriority
    package var urgency: Double
    /// Whether an embedded preview is worth making first: it is local and predicted to cost at most a quarter of the final.
    package var wantsPreview: Bool
    /// Whether the preview may follow a cached image that is less than it.
    package var allowsSecondDegraded: Bool
    /// Whether bytes that are elsewhere may be fetched.
    package var isNetworkAccessAllowed: Bool
    /// Whether the receiver wants to know how much of the bytes is here.
    package var reportsProgress: Bool
    package var work: RenderWork
    /// From submission on.
    package var deadline: Duration?
    /// Whom the results are for; the pipeline only hands it back. Nil in simulated runs.
    package var receiver: ResultReceiver?

    package init(
        key: RenditionKey, deliveryMode: DeliveryMode, priority: RequestPriority, urgency: Double,
        wantsPreview: Bool, allowsSecondDegraded: Bool = false, isNetworkAccessAllowed: Bool = false,
        reportsProgress: Bool = false, work: RenderWork,
        deadline: Duration? = nil, receiver: ResultReceiver?
    ) {
        self.key = key
        self.deliveryMode = deliveryMode
        self.priority = priority
        self.urgency = urgency
        self.wantsPreview = wantsPreview
        self.allowsSecondDegraded = allowsSecondDegraded
        self.isNetworkAccessAllowed = isNetworkAccessAllowed
        self.reportsProgress = reportsProgress
        self.work = work
        self.deadline = deadline
        self.receiver = receiver
    }
}

/// A result on its way to a request's receiver.
package enum PipelineResult: Sendable {
    /// No result yet: how much of the bytes has come over the network.
    case progress(Double)
    case degraded(SharedImage, ImageInfo)
    case final(SharedImage, ImageInfo)
    case failed(ImageRequestError, ImageInfo)
    case cancelled

    package var isTerminal: Bool {
        switch self {
        case .progress, .degraded: false
        case .final, .failed, .cancelled: true
        }
    }

    package var image: SharedImage? {
        switch self {
        case .degraded(let image, _), .final(let image, _): image
        case .progress, .failed, .cancelled: nil
        }
    }
}

/// What the pipeline asks its owner to do, after the lock is released.
package enum PipelineAction: Sendable {
    /// Run a job on an idle worker and report with `finish`.
    case start(RenderAssignment)
    /// Have a running job stop as soon as it can; it still reports.
    case stop(CancellationToken)
    /// Empty the request's outbox: take from it until nothing comes, and deliver in that order.
    case drain(ImageRequestID, ResultReceiver?)
    /// Deliver terminal results of requests that nothing else is left of.
    case deliver([PipelineDelivery])
    /// Call `timePassed` at this time; instead of at a later one that was said before.
    case wake(at: MonotonicTime)
    /// Bring bytes over the network, in a stage of its own, and report with `progressFetch` and `finishFetch`.
    case fetch(FetchAssignment)
    /// Have a running fetch stop as soon as it can; it still reports.
    case stopFetch(CancellationToken)
    /// Destroy something outside the lock: it may hold the last reference to pixels, or to an object of the host.
    case release(SharedImage)
    case releaseBytes(FetchedBytes)
    case releaseWork(RenderWork)
    /// Have memory that is free go back to the system: tables that were large have been given up.
    case returnFreePages
    /// The pipeline is closed, its last render has ended, and none will start: its workers may end. Emitted once.
    case dismissWorkers
    /// The same, and the last fetch has ended as well. Emitted once, as the last action.
    case idle
}

/// A terminal result that goes past the outbox of its request: nobody is draining that.
package struct PipelineDelivery: Sendable {
    package let result: PipelineResult
    package let id: ImageRequestID
    package let receiver: ResultReceiver?

    init(_ result: PipelineResult, to id: ImageRequestID, receiver: ResultReceiver?) {
        self.result = result
        self.id = id
        self.receiver = receiver
    }
}

/// A job on a worker.
package struct RenderAssignment: Sendable {
    package let worker: Int
    package let job: JobID
    package let key: RenditionKey
    /// What else is to be made of the same decode.
    package let companions: [RenditionKey]
    package var work: RenderWork
    package let source: RenderSource
    /// Cancelled where the pipeline wants the job stopped.
    package let token: CancellationToken
    /// Whether all that is to be done is to pack the input.
    package var isPacking = false

    /// All that is to be made.
    package var keys: [RenditionKey] { isPacking ? [] : [key] + companions }

    /// The cached rendition that it is made of, where there is one.
    package var input: RenderInput? { source.input }

    /// The file, where it came over the network.
    package var bytes: FetchedBytes? { source.bytes }
}
