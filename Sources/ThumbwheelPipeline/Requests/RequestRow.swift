import ThumbwheelCore
import ThumbwheelScheduling

extension PipelineState {
    /// A request that has not ended, or whose last results have not been taken yet.
    ///
    /// Hundreds of thousands may wait, so a row holds only what a waiting request needs. Its rendition and its work lie in
    /// the row of its job, which all requests for the rendition share.
    struct Request: SlotRow {
        let id: ImageRequestID
        let submission: MonotonicTime
        let sequence: Int64
        /// Of making the final image, as it seemed at the submission.
        var predictedMilliseconds: Double
        var urgency: Double
        /// What few requests have, or only for a short time.
        private var details = Rare<Details>()
        /// `none` where no job makes the final image: an optional would take another word.
        private var lastJob = JobID.none
        // From here on only single bytes follow the receiver's own, which is its last.
        let receiver: ResultReceiver
        var priority: RequestPriority
        let deliveryMode: DeliveryMode
        let isNetworkAccessAllowed: Bool
        let reportsProgress: Bool
        /// Whether the work of the final image ends soon after it is told to.
        let isStoppable: Bool
        /// The number of jobs that the request has been counted with, which makes the memory that it takes.
        let weight: Int8
        /// Whether somebody has been asked to empty the outbox and has not found it empty yet: one drainer at a time.
        var isDraining = false

        private struct Details: Sendable {
            var degradedJob: JobID?
            /// Of its deadline; nil where it has none, and when it has ended.
            var alarm: AlarmHeap.Alarm?
            var degradedPixelCount = 0
            var outbox: [PipelineResult] = []
            var hasDeadline = false
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
            if request.deadline != nil { details = Rare(Details(hasDeadline: true)) }
        }

        /// No request.
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

        /// A request that may wait for a preview as well has two jobs.
        static func weight(of request: PipelineRequest) -> Int8 {
            request.deliveryMode.takesLess && request.wantsPreview ? 2 : 1
        }

        /// The job that makes its final image.
        var finalJob: JobID? {
            get { lastJob == .none ? nil : lastJob }
            set { lastJob = newValue ?? .none }
        }

        /// A job that makes a degraded image for it.
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

        /// All that has to be undone when it ends. Read at once: each look at a property that is computed costs the frames of
        /// the accessors on its way to the row, on the heap.
        var ties: (alarm: AlarmHeap.Alarm?, degradedJob: JobID?, finalJob: JobID?) { (alarm, degradedJob, finalJob) }

        private(set) var hasEnded: Bool {
            get { details.isPresent && details.present.hasEnded }
            set { details.change(from: Details()) { $0.hasEnded = newValue } }
        }

        /// Ends without a final image, whose bytes may not be fetched, once there is no degraded one to come.
        var isOutOfReach: Bool {
            get { details.isPresent && details.present.isOutOfReach }
            set { details.change(from: Details()) { $0.isOutOfReach = newValue } }
        }

        /// Pixels of the degraded image sent last: another is sent only if it is larger.
        var degradedPixelCount: Int {
            get { details.value?.degradedPixelCount ?? 0 }
            set { details.change(from: Details()) { $0.degradedPixelCount = newValue } }
        }

        var outbox: [PipelineResult] { details.value?.outbox ?? [] }

        mutating func put(_ result: PipelineResult) {
            details.change(from: Details()) { details in
                // Of progress that nobody has taken yet only the latest counts.
                if case .progress = result, case .progress = details.outbox.last { details.outbox.removeLast() }
                details.outbox.append(result)
            }
        }

        mutating func emptyOutbox() {
            details.change(from: Details()) { $0.outbox = [] }
        }

        /// With results before this one that somebody is taking.
        mutating func end(with result: PipelineResult) {
            finalJob = nil
            degradedJob = nil
            alarm = nil
            put(result)
            hasEnded = true
        }

        /// The rank that the request gives a job for a rendition of a kind.
        func rank(for kind: RenditionKey.Kind, weighingCost: Bool) -> JobRank {
            var urgency = urgency
            // Previews all cost about the same; and nobody looks at the blank places of what is not visible.
            if weighingCost, priority == .userInitiated, kind != .preview {
                urgency = JobRank.urgency(urgency, weighedAgainst: predictedMilliseconds)
            }
            return JobRank(
                priority: priority, stage: kind == .preview ? .degraded : .final,
                isStoppable: kind == .preview || isStoppable, urgency: urgency, sequence: sequence)
        }
    }
}
