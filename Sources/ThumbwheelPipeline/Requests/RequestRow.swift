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
        var urgency: Double
        /// Properties that few requests have, or that requests have only for a short time. They are stored outside the
        /// row.
        private var details = Rare<Details>()
        /// The job that makes the final image; `none` if there is no job. The property is not optional, because an
        /// optional would take another word.
        private var lastJob = JobID.none
        // Receives the request's results. The order of the properties saves memory: only one byte of the receiver's
        // last word is used, and the small properties that follow fill the other bytes of that word.
        let receiver: ResultReceiver
        /// The predicted time of making the final image.
        var cost: CostClass
        var priority: RequestPriority
        let deliveryMode: DeliveryMode
        private var traits: Traits

        /// Properties of a request that are true or false. They share one byte.
        private struct Traits: OptionSet {
            let rawValue: UInt8

            static let allowsNetworkAccess = Traits(rawValue: 1)
            static let reportsProgress = Traits(rawValue: 1 << 1)
            static let isStoppable = Traits(rawValue: 1 << 2)
            static let waitsForTwoJobs = Traits(rawValue: 1 << 3)
            static let isDraining = Traits(rawValue: 1 << 4)
        }

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

        init(_ request: PipelineRequest, id: ImageRequestID, at submission: MonotonicTime) {
            self.id = id
            self.submission = submission
            cost = CostClass(milliseconds: request.work.predictedMilliseconds)
            urgency = request.urgency
            receiver = request.receiver
            priority = request.priority
            deliveryMode = request.deliveryMode
            traits = []
            if request.isNetworkAccessAllowed { traits.insert(.allowsNetworkAccess) }
            if request.reportsProgress { traits.insert(.reportsProgress) }
            if request.work.isStoppable { traits.insert(.isStoppable) }
            if Self.weight(of: request) == 2 { traits.insert(.waitsForTwoJobs) }
            let wantsFastDegraded = Self.wantsFastDegraded(request)
            if request.deadline != nil || wantsFastDegraded {
                details = Rare(Details(hasDeadline: request.deadline != nil, wantsFastDegraded: wantsFastDegraded))
            }
        }

        /// Makes the placeholder that fills a slot without a request.
        private init() {
            id = ImageRequestID(rawValue: 0)
            submission = .zero
            urgency = 0
            receiver = .none
            cost = .unknown
            priority = .background
            deliveryMode = .fast
            traits = []
        }

        static let vacant = Request()
        var isVacant: Bool { id.rawValue == 0 }

        var isNetworkAccessAllowed: Bool { traits.contains(.allowsNetworkAccess) }

        var reportsProgress: Bool { traits.contains(.reportsProgress) }

        /// Whether a thread that empties the outbox has been started and has not found the outbox empty yet. There is
        /// only one such thread at a time.
        var isDraining: Bool {
            get { traits.contains(.isDraining) }
            set { if newValue { traits.insert(.isDraining) } else { traits.remove(.isDraining) } }
        }

        /// The number of jobs that the request may wait for: 2 if a degraded image may be made first, otherwise 1. The
        /// request counts with this weight in the memory of waiting requests (`QueueLimits.byteCount`).
        var weight: Int { traits.contains(.waitsForTwoJobs) ? 2 : 1 }

        /// The number of jobs that a request may wait for: 2 if a degraded image may be made first, otherwise 1. Once
        /// the request waits, its row has the number as `weight`.
        static func weight(of request: PipelineRequest) -> Int {
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

        /// Whether the image that a `.fast` request would get should be made as a degraded image. If a preview is made
        /// too, the preview comes first.
        var wantsFastDegraded: Bool {
            get { details.isPresent && details.present.wantsFastDegraded }
            set { details.change(from: Details()) { $0.wantsFastDegraded = newValue } }
        }

        /// The request's alarm, the job of its degraded image and the job of its final image. When the request ends,
        /// its alarm is removed, and it stops waiting for both jobs. The three values are one property, because each
        /// access to a computed property of a row allocates memory.
        var ties: (alarm: AlarmHeap.Alarm?, degradedJob: JobID?, finalJob: JobID?) { (alarm, degradedJob, finalJob) }

        private(set) var hasEnded: Bool {
            get { details.isPresent && details.present.hasEnded }
            set { details.change(from: Details()) { $0.hasEnded = newValue } }
        }

        /// Whether the request cannot get a final image, because it may not use the network. Such a request ends once
        /// no degraded image is being made for it any more.
        var isOutOfReach: Bool {
            get { details.isPresent && details.present.isOutOfReach }
            set { details.change(from: Details()) { $0.isOutOfReach = newValue } }
        }

        /// The number of pixels of the degraded image that was sent last. Another degraded image is sent only if it has
        /// more pixels.
        var degradedPixelCount: Int {
            get { details.value?.degradedPixelCount ?? 0 }
            set { details.change(from: Details()) { $0.degradedPixelCount = newValue } }
        }

        var outbox: [PipelineResult] { details.value?.outbox ?? [] }

        mutating func put(_ result: PipelineResult) {
            details.change(from: Details()) { details in
                // The outbox keeps only the latest progress report. An earlier one that has not been taken yet is
                // dropped.
                if case .progress = result, case .progress = details.outbox.last { details.outbox.removeLast() }
                details.outbox.append(result)
            }
        }

        mutating func emptyOutbox() {
            details.change(from: Details()) { $0.outbox = [] }
        }

        /// Ends the request while a thread is still taking earlier results from the request's outbox. The terminal
        /// result is put at the end of the outbox, so that the same thread delivers it.
        mutating func end(with result: PipelineResult) {
            finalJob = nil
            degradedJob = nil
            alarm = nil
            put(result)
            hasEnded = true
        }

        /// The rank (place in the order of work) that the request gives to one of the jobs that it waits for.
        ///
        /// - Parameters:
        ///   - kind: the kind of the rendition that the job makes.
        ///   - weighsCost: whether the urgency is weighed against the predicted time of the render.
        ///   - servesNewestFirst: whether, of two requests whose ranks are equal in all other parts, the newer one goes
        ///     first.
        func rank(for kind: RenditionKey.Kind, weighingCost weighsCost: Bool, newestFirst servesNewestFirst: Bool)
            -> JobRank
        {
            var urgency = urgency
            let isDegraded = kind == .preview || kind == .fast && wantsFastDegraded
            // Weighs the urgency against the predicted cost only for final images of visible requests. The cost is that
            // of the final image, not of a degraded one. And only a visible request leaves a cell blank while it waits.
            if weighsCost, priority == .userInitiated, !isDegraded {
                urgency = JobRank.urgency(urgency, weighedAgainst: cost)
            }
            let number = Int64(bitPattern: id.rawValue)
            return JobRank(
                priority: priority, stage: isDegraded ? .degraded : .final,
                isStoppable: kind == .preview || traits.contains(.isStoppable), urgency: urgency,
                sequence: servesNewestFirst ? -number : number)
        }
    }
}
