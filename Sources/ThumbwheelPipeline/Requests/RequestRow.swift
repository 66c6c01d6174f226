import ThumbwheelCore
import ThumbwheelScheduling

extension PipelineState {
    /// The table row of a request that has not ended, or whose last results have not been taken yet.
    ///
    /// Hundreds of thousands of requests may wait, so a row is small. The rendition's key and its work (asset and
    /// predictions) are in the row of the job, which all requests for the rendition share.
    struct Request: SlotRow {
        let id: ImageRequestID
        let submission: MonotonicTime
        let sequence: Int64
        /// The milliseconds that making the final image takes, as predicted at the submission.
        var predictedMilliseconds: Double
        var urgency: Double
        /// Properties that few requests have, or that requests have only for a short time. They are stored outside the
        /// row.
        private var details = Rare<Details>()
        /// The job that makes the final image; `none` if there is no job. The property is not optional, because an
        /// optional would take another word.
        private var lastJob = JobID.none
        // The receiver ends in a single byte. Only one-byte properties follow it, so that they share its last word.
        let receiver: ResultReceiver
        var priority: RequestPriority
        let deliveryMode: DeliveryMode
        let isNetworkAccessAllowed: Bool
        let reportsProgress: Bool
        /// Whether the render of the final image ends soon after it is told to stop.
        let isStoppable: Bool
        /// The number of jobs that the request may wait for: 2 if a degraded image may be made first, otherwise 1. The
        /// memory of waiting requests (`QueueLimits.byteCount`) is computed from these weights.
        let weight: Int8
        /// Whether a thread that empties the outbox (a drainer) has been started and has not found the outbox empty
        /// yet. A request has at most one drainer at a time.
        var isDraining = false

        private struct Details: Sendable {
            var degradedJob: JobID?
            /// The alarm of the request's deadline; nil if the request has no deadline or has ended.
            var alarm: AlarmHeap.Alarm?
            var degradedPixelCount = 0
            var outbox: [PipelineResult] = []
            var hasDeadline = false
            var wantsFastDegraded = false
            var isOutOfReach = false
            var hasEnded = false
        }

        init(_ request: PipelineRequest, id: ImageRequestID, sequence: Int64, at submission: MonotonicTime) {
            self.id = id
            self.submission = submission
            self.sequence = sequence
            predictedMilliseconds = request.work.predictedMilliseconds
            urgency = request.urgency
            receiver = request.receiver
            priority = request.priority
            deliveryMode = request.deliveryMode
            isNetworkAccessAllowed = request.isNetworkAccessAllowed
            reportsProgress = request.reportsProgress
            isStoppable = request.work.isStoppable
            weight = Self.weight(of: request)
            let wantsFastDegraded = Self.wantsFastDegraded(request)
            if request.deadline != nil || wantsFastDegraded {
                details = Rare(Details(hasDeadline: request.deadline != nil, wantsFastDegraded: wantsFastDegraded))
            }
        }

        /// Makes the placeholder that fills a slot without a request.
        private init() {
            id = ImageRequestID(rawValue: 0)
            submission = .zero
            sequence = 0
            predictedMilliseconds = 0
            urgency = 0
            receiver = .none
            priority = .background
            deliveryMode = .fast
            isNetworkAccessAllowed = false
            reportsProgress = false
            isStoppable = false
            weight = 0
        }

        static let vacant = Request()
        var isVacant: Bool { id.rawValue == 0 }

        /// The number of jobs that a request may wait for: 2 if a degraded image may be made first, otherwise 1.
        static func weight(of request: PipelineRequest) -> Int8 {
            request.deliveryMode.takesLess && request.wantsPreview || wantsFastDegraded(request) ? 2 : 1
        }

        private static func wantsFastDegraded(_ request: PipelineRequest) -> Bool {
            request.deliveryMode.takesLess && request.wantsDegraded && request.wantsFastDegraded
        }

        /// The job that makes the request's final image; nil if there is none.
        var finalJob: JobID? {
            get { lastJob == .none ? nil : lastJob }
            set { lastJob = newValue ?? .none }
        }

        /// The job that makes a degraded image for the request; nil if there is none.
        var degradedJob: JobID? {
            get { details.value?.degradedJob }
            set {
                guard newValue != nil || details.isPresent else { return }
                details.change(from: Details()) { $0.degradedJob = newValue }
            }
        }

        var alarm: AlarmHeap.Alarm? {
            get { details.value?.alarm }
            set {
                guard newValue != nil || details.isPresent else { return }
                details.change(from: Details()) { $0.alarm = newValue }
            }
        }

        var hasDeadline: Bool { details.isPresent && details.present.hasDeadline }

        /// Whether the rendition of `.fast` requests should be made as a degraded image, after the preview if there is
        /// one.
        var wantsFastDegraded: Bool {
            get { details.isPresent && details.present.wantsFastDegraded }
            set { details.change(from: Details()) { $0.wantsFastDegraded = newValue } }
        }

        /// The request's alarm and jobs, from which the request is removed when it ends. They are read together,
        /// because each access to a computed property of a row allocates frames on the heap.
        var ties: (alarm: AlarmHeap.Alarm?, degradedJob: JobID?, finalJob: JobID?) { (alarm, degradedJob, finalJob) }

        private(set) var hasEnded: Bool {
            get { details.isPresent && details.present.hasEnded }
            set { details.change(from: Details()) { $0.hasEnded = newValue } }
        }

        /// Whether the request cannot get a final image, because its bytes may not be fetched. It then ends once no
        /// degraded image is being made for it any more.
        var isOutOfReach: Bool {
            get { details.isPresent && details.present.isOutOfReach }
            set { details.change(from: Details()) { $0.isOutOfReach = newValue } }
        }

        /// The number of pixels of the degraded image that was sent last. Another degraded image is sent only if it is
        /// larger.
        var degradedPixelCount: Int {
            get { details.value?.degradedPixelCount ?? 0 }
            set { details.change(from: Details()) { $0.degradedPixelCount = newValue } }
        }

        var outbox: [PipelineResult] { details.value?.outbox ?? [] }

        mutating func put(_ result: PipelineResult) {
            details.change(from: Details()) { details in
                // Only the latest of the progress reports that have not been taken yet is kept.
                if case .progress = result, case .progress = details.outbox.last { details.outbox.removeLast() }
                details.outbox.append(result)
            }
        }

        mutating func emptyOutbox() {
            details.change(from: Details()) { $0.outbox = [] }
        }

        /// Ends the request while a thread (drainer) is still taking earlier results from its outbox.
        mutating func end(with result: PipelineResult) {
            finalJob = nil
            degradedJob = nil
            alarm = nil
            put(result)
            hasEnded = true
        }

        /// The rank (place in the order of work) that the request gives to the job for its rendition of the kind
        /// `kind`.
        func rank(for kind: RenditionKey.Kind, weighingCost: Bool) -> JobRank {
            var urgency = urgency
            let isDegraded = kind == .preview || kind == .fast && wantsFastDegraded
            // The predicted cost is that of the final image, so it is not used for degraded images. It is not used for
            // requests that are not visible either, because no blank cell waits for them.
            if weighingCost, priority == .userInitiated, !isDegraded {
                urgency = JobRank.urgency(urgency, weighedAgainst: predictedMilliseconds)
            }
            return JobRank(
                priority: priority, stage: isDegraded ? .degraded : .final,
                isStoppable: kind == .preview || isStoppable, urgency: urgency, sequence: sequence)
        }
    }
}
