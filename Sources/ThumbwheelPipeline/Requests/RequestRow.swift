import ThumbwheelCore
import ThumbwheelScheduling

extension PipelineState {
    /// The table row of a request that has not ended, or whose last results have not been taken yet.
    ///
    /// Hundreds of thousands of requests may wait, so a row is small. The key of the requested rendition, the asset and
    /// the predicted costs are stored in the row of the job. All requests for the same rendition share that job.
    struct Request: SlotRow {
        let id: ImageRequestID
        let submission: MonotonicTime
        var urgency: Double
        /// Properties that few requests have, or that requests have only for a short time. They are stored outside the
        /// row.
        private var details = Rare<Details>()
        /// The job that makes the final image; `none` if there is no job. The property is not optional, because an
        /// optional would take another word.
        private var finalJobOrNone = JobID.none
        // Receives the request's results. The order of the properties saves memory: only one byte of the receiver's
        // last word is used, and the small properties that follow fill the other bytes of that word.
        let receiver: ResultReceiver
        /// The predicted time of making the final image, on a logarithmic scale with coarse steps.
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
            /// Stored apart, because most requests have none.
            var budgetShare = Rare<BudgetShare>()
            var hasDeadline = false
            var wantsFastDegraded = false
            var lacksNetworkAccess = false
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
            if Self.maximumJobCount(of: request) == 2 { traits.insert(.waitsForTwoJobs) }
            let wantsFastDegraded = Self.wantsFastDegraded(request)
            if request.deadline != nil || wantsFastDegraded || request.budgetShare != nil {
                details = Rare(
                    Details(
                        budgetShare: request.budgetShare.map { Rare($0) } ?? Rare(),
                        hasDeadline: request.deadline != nil, wantsFastDegraded: wantsFastDegraded))
            }
        }

        /// Makes the placeholder that fills a slot of the table in which there is no request.
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

        /// Whether a thread has been started to empty the request's outbox. The thread ends as soon as it finds the
        /// outbox empty. There is only one such thread at a time.
        var isDraining: Bool {
            get { traits.contains(.isDraining) }
            set { if newValue { traits.insert(.isDraining) } else { traits.remove(.isDraining) } }
        }

        /// The largest number of jobs that the request can wait for: 2 if a degraded image may be made first, otherwise
        /// 1. The limit on the memory of waiting requests (`QueueLimits.byteCount`) counts the request this many times.
        var maximumJobCount: Int { traits.contains(.waitsForTwoJobs) ? 2 : 1 }

        /// Returns the largest number of jobs that a new request can wait for: 2 if a degraded image may be made first,
        /// otherwise 1. The row of the request keeps this number as the property `maximumJobCount`.
        static func maximumJobCount(of request: PipelineRequest) -> Int {
            request.deliveryMode.acceptsDegraded && request.wantsPreview || wantsFastDegraded(request) ? 2 : 1
        }

        private static func wantsFastDegraded(_ request: PipelineRequest) -> Bool {
            request.deliveryMode.acceptsDegraded && request.wantsDegraded && request.wantsFastDegraded
        }

        /// The job that makes the request's final image; nil if there is none.
        var finalJob: JobID? {
            get { finalJobOrNone == .none ? nil : finalJobOrNone }
            set { finalJobOrNone = newValue ?? .none }
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

        /// The share of the memory budget that images made for the request take from; nil if nobody's.
        var budgetShare: BudgetShare? { details.value?.budgetShare.value }

        var hasDeadline: Bool { details.isPresent && details.present.hasDeadline }

        /// Whether an image of `.fast` quality should be made as a degraded image for this request. If a preview is
        /// made as well, the preview is made first.
        var wantsFastDegraded: Bool {
            get { details.isPresent && details.present.wantsFastDegraded }
            set { details.change(from: Details()) { $0.wantsFastDegraded = newValue } }
        }

        /// The request's alarm, the job of its degraded image and the job of its final image. They are needed together
        /// when the request ends. Each read of a computed property through the table's subscripts allocates memory for
        /// the frames of the accessors, so one property with three values saves allocations.
        var alarmAndJobs: (alarm: AlarmHeap.Alarm?, degradedJob: JobID?, finalJob: JobID?) {
            (alarm, degradedJob, finalJob)
        }

        private(set) var hasEnded: Bool {
            get { details.isPresent && details.present.hasEnded }
            set { details.change(from: Details()) { $0.hasEnded = newValue } }
        }

        /// Whether the request cannot get a final image, because it may not use the network. Such a request ends once
        /// no degraded image is being made for it any more.
        var lacksNetworkAccess: Bool {
            get { details.isPresent && details.present.lacksNetworkAccess }
            set { details.change(from: Details()) { $0.lacksNetworkAccess = newValue } }
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

        /// Ends the request: puts its terminal result at the end of its outbox, and releases its jobs and its alarm.
        /// Called only while a thread takes earlier results from the outbox; that thread then delivers this one too.
        mutating func end(with result: PipelineResult) {
            finalJob = nil
            degradedJob = nil
            alarm = nil
            put(result)
            hasEnded = true
        }

        /// Returns the rank (place in the order of work) that the request gives to one of the jobs that it waits for.
        ///
        /// - Parameters:
        ///   - kind: the kind of the rendition that the job makes.
        ///   - weighsCost: whether a render with a long predicted time counts as less urgent.
        ///   - servesNewestFirst: whether the newer of two requests goes first if their ranks are otherwise equal.
        func rank(for kind: RenditionKey.Kind, weighingCost weighsCost: Bool, newestFirst servesNewestFirst: Bool)
            -> JobRank
        {
            var urgency = urgency
            let isDegraded = kind == .preview || kind == .fast && wantsFastDegraded
            // Makes an image with a long predicted time less urgent, so that quick images fill empty places on the
            // screen first. This applies only to the final images of requests with the priority `.userInitiated`:
            // - `cost` is the predicted time of the final image, not of a degraded one.
            // - Only a request with this priority leaves an empty place on the screen while it waits.
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
