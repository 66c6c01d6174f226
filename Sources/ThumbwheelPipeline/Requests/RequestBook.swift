import ThumbwheelCore
import ThumbwheelScheduling

/// The requests that have not ended, or whose last results have not been taken yet. Each request has an outbox, with
/// the results that wait for delivery. A request that has not ended is also in the queue of its priority; `QueueLimits`
/// limits the lengths of these queues.
///
/// The book numbers the requests in the order of arrival. It knows render jobs only by their identifiers.
struct RequestBook: Sendable {
    typealias Request = PipelineState.Request

    private let limits: QueueLimits
    private let servesNewestFirst: Bool
    private let weighsCost: Bool
    private var table = RequestTable()
    private var queues = RequestQueues()
    private var lastNumber: UInt64 = 0
    /// Whether any request so far has had a share of the budget. If not, nobody needs to look for one.
    private var haveHadShares = false

    /// Makes a book without requests.
    ///
    /// - Parameters:
    ///   - servesNewestFirst: whether, among requests of equal priority and urgency, the newest goes first.
    ///   - weighsCost: whether the urgency of requests for visible images (priority `.userInitiated`) is weighed
    ///     against the predicted cost of their renders.
    init(limits: QueueLimits, servesNewestFirst: Bool, weighsCost: Bool) {
        self.limits = limits
        self.servesNewestFirst = servesNewestFirst
        self.weighsCost = weighsCost
    }

    // MARK: Numbering requests

    /// The identifier of the newest request so far.
    var lastID: ImageRequestID { ImageRequestID(rawValue: lastNumber) }

    mutating func nextID() -> ImageRequestID {
        lastNumber += 1
        return lastID
    }

    /// Returns the next number in the order of arrival, for an image that a caching manager wants. Such images and
    /// requests are numbered in one sequence, so that their places in the order of work can be compared.
    mutating func nextSequence() -> Int64 { Int64(bitPattern: nextID().rawValue) }

    // MARK: Finding requests

    /// The request with the identifier `id`; nil if it has ended and its results have been taken.
    subscript(id: ImageRequestID) -> Request? { table[id] }

    /// The slot of a request in the table; nil if the request is not in the table.
    func slot(of id: ImageRequestID) -> Int? { table.slot(of: id) }

    /// The request in a slot of the table.
    ///
    /// - Precondition: a request is in the slot.
    subscript(slot slot: Int) -> Request {
        @inline(__always) _read { yield table[slot: slot] }
    }

    /// The request with the identifier `id`; nil if it has ended.
    func live(_ id: ImageRequestID) -> Request? {
        guard let slot = table.slot(of: id), !table[slot: slot].hasEnded else { return nil }
        return table[slot: slot]
    }

    /// Whether a request has not ended. Unlike `live`, this does not copy the request.
    func isLive(_ id: ImageRequestID) -> Bool { table.slot(of: id).map { !table[slot: $0].hasEnded } ?? false }

    /// Returns the rank (place in the order of work) that a request gives to one of the jobs that it waits for.
    ///
    /// - Parameter kind: the kind of the rendition that the job makes.
    /// - Precondition: the request is in the book.
    func rank(of id: ImageRequestID, for kind: RenditionKey.Kind) -> JobRank {
        guard let slot = table.slot(of: id) else { preconditionFailure("the rank of a request that is over") }
        return table[slot: slot].rank(for: kind, weighingCost: weighsCost, newestFirst: servesNewestFirst)
    }

    /// The share of the memory budget that a rendition takes from, if it is made for some requests: that of the first.
    /// Nil if the first request has none, or if there is no request.
    func budgetShare(of subscribers: Subscribers) -> BudgetShare? {
        guard haveHadShares, let first = subscribers.inOrder.first(where: { _ in true }) else { return nil }
        return table[first]?.budgetShare
    }

    /// Returns the identifiers of the requests in the next `limit` slots of the table. The caller repeats the call
    /// until all slots have been looked at. Requests that arrived after the request `last` are left out.
    ///
    /// - Parameters:
    ///   - place: the slot that the previous call returned; nil in the first call.
    ///   - limit: the number of slots to look at.
    /// - Returns: the identifiers found by this call, and the slot from which the next call goes on. The slot is nil
    ///   once all slots have been looked at.
    func ids(
        through last: ImageRequestID, from place: Int?, atMost limit: Int
    ) -> (ids: [ImageRequestID], place: Int?) {
        let start = min(place ?? .max, table.slotCount)
        let end = max(0, start - limit)
        let ids = (end..<start).reversed().compactMap { table.id(inSlot: $0) }.filter { $0 <= last }
        return (ids, end > 0 ? end : nil)
    }

    /// The identifiers of all requests, the oldest first.
    var ids: [ImageRequestID] { table.values.map(\.id).sorted() }

    /// The number of requests that the storage has room for.
    var capacity: Int { table.capacity }

    // MARK: Adding and changing requests

    /// Adds a request to the book and to the queue of its priority.
    ///
    /// - Returns: the request's slot.
    mutating func insert(_ request: PipelineRequest, as id: ImageRequestID, at now: MonotonicTime) -> Int {
        if request.budgetShare != nil { haveHadShares = true }
        let slot = table.insert(Request(request, id: id, at: now))
        queues.add(slot, table[slot: slot])
        return slot
    }

    mutating func setAlarm(_ alarm: AlarmHeap.Alarm?, of slot: Int) {
        table[slot: slot].alarm = alarm
    }

    mutating func setFinalJob(_ job: JobID?, of slot: Int) {
        table[slot: slot].finalJob = job
    }

    mutating func setDegradedJob(_ job: JobID?, of slot: Int) {
        table[slot: slot].degradedJob = job
    }

    /// Records that no image of `.fast` quality is to be made any more as a degraded image for this request.
    mutating func forgoFastImage(_ slot: Int) {
        if table[slot: slot].wantsFastDegraded { table[slot: slot].wantsFastDegraded = false }
    }

    /// Records the predicted cost of a request.
    ///
    /// - Parameter milliseconds: the predicted time of making the request's final image.
    mutating func setPredictedMilliseconds(_ milliseconds: Double, of slot: Int) {
        table[slot: slot].cost = CostClass(milliseconds: milliseconds)
    }

    /// Marks a request that cannot get a final image, because it may not use the network. The request ends once no
    /// degraded image is being made for it any more.
    mutating func markLackingNetworkAccess(_ slot: Int) {
        table[slot: slot].lacksNetworkAccess = true
    }

    /// Records that a degraded image is delivered for a request.
    ///
    /// - Parameter pixelCount: the number of pixels of the image.
    mutating func noteDegradedImage(of pixelCount: Int, to slot: Int) {
        table[slot: slot].degradedPixelCount = pixelCount
    }

    mutating func setPriority(_ priority: RequestPriority, urgency: Double, of slot: Int) {
        let former = table[slot: slot]
        table[slot: slot].priority = priority
        table[slot: slot].urgency = urgency
        guard former.priority != priority else { return }
        queues.remove(slot, former)
        queues.add(slot, table[slot: slot])
    }

    /// Frees the storage of the book if no request is left and the storage is large.
    ///
    /// - Returns: the number of requests that the freed storage had room for; 0 if nothing was freed.
    mutating func shrink() -> Int {
        queues.shrink()
        return table.shrink()
    }

    // MARK: Results that wait for delivery, and the end of requests

    /// Adds a result that is not the terminal one to a request's outbox.
    ///
    /// - Returns: whether the caller has to start a thread that empties the outbox. At most one such thread works for a
    ///   request at a time.
    mutating func put(_ result: PipelineResult, into slot: Int) -> Bool {
        table[slot: slot].put(result)
        guard !table[slot: slot].isDraining else { return false }
        table[slot: slot].isDraining = true
        return true
    }

    /// Takes an ending request out of the queue of waiting requests.
    mutating func removeFromQueue(_ slot: Int) {
        queues.remove(slot, table[slot: slot])
    }

    /// Ends a request with its terminal result.
    ///
    /// - Returns: the delivery that the caller has to make. Nil if a thread is already emptying the request's outbox,
    ///   because that thread delivers this result too, after the earlier ones.
    mutating func end(_ slot: Int, with result: PipelineResult) -> PipelineDelivery? {
        guard !table[slot: slot].isDraining else {
            // Does not remove the request's row yet. That could destroy the request's handler, and so run code of the
            // program that uses this library, while the pipeline's lock is held. The thread that delivers the request's
            // results removes the row when it takes the last result. This thread holds the handler too, so the handler
            // is destroyed only after the lock is released.
            table[slot: slot].end(with: result)
            return nil
        }
        let id = table[slot: slot].id
        let delivery = PipelineDelivery(result, to: id, receiver: table[slot: slot].receiver)
        table.remove(id)
        return delivery
    }

    /// Takes the results in a request's outbox, in order.
    mutating func takeResults(of id: ImageRequestID) -> [PipelineResult] {
        guard let slot = table.slot(of: id) else { return [] }
        let results = table[slot: slot].outbox
        // If the request has ended, the terminal result is among these results. Nothing follows it, so the request is
        // removed.
        guard !table[slot: slot].hasEnded else {
            table.remove(id)
            return results
        }
        table[slot: slot].emptyOutbox()
        table[slot: slot].isDraining = !results.isEmpty
        return results
    }

    // MARK: Limiting the waiting requests

    /// The bytes that a waiting request with a job of its own takes in all tables: the rows of the request and the job,
    /// their cells in two hash tables, a link in a queue, and the job's entry in the scheduler.
    static let waitingByteCount =
        MemoryLayout<Request>.stride + MemoryLayout<PipelineState.Job>.stride + 16 + 8 + 8 + Scheduler.queuedByteCount

    /// Whether one more request may wait.
    enum Admission {
        case admitted
        /// There is no room for the request yet. The caller first ends the oldest waiting request of the given priority
        /// with `.overloaded`. The given priority is the new request's own or a lower one.
        case afterShedding(RequestPriority)
        case refused
    }

    /// Decides whether a new request may wait. If the answer is `afterShedding`, the caller ends another request to
    /// make room, and calls this function again.
    func admission(of request: PipelineRequest) -> Admission {
        let priority = request.priority
        let jobCount = Request.maximumJobCount(of: request)
        switch limits.overflow {
        case .rejectsNewest:
            return queues.count(of: priority) < limits[priority] && hasMemory(for: jobCount) ? .admitted : .refused
        case .shedsOldest:
            // If more urgent requests leave no room for the new request, ending less urgent requests would not help.
            guard isWithinMemoryLimit(queues.maximumJobCount(above: priority) + jobCount) else { return .refused }
            if priority != .userInitiated, queues.count(of: priority) >= limits[priority] {
                return .afterShedding(priority)
            }
            guard !hasMemory(for: jobCount) else { return .admitted }
            // The oldest request of the lowest priority is ended, unless that priority is higher than the new
            // request's.
            let victim = RequestPriority.allCases.last { $0 >= priority && queues.count(of: $0) > 0 }
            return victim.map { .afterShedding($0) } ?? .refused
        }
    }

    /// Whether more requests of a priority are waiting than allowed. That can happen if a waiting request changes its
    /// priority, because a request that is already waiting cannot be refused.
    func hasExcess(of priority: RequestPriority) -> Bool {
        priority != .userInitiated && limits.overflow == .shedsOldest && queues.count(of: priority) > limits[priority]
    }

    private func hasMemory(for jobCount: Int) -> Bool { isWithinMemoryLimit(queues.maximumJobCount + jobCount) }

    private func isWithinMemoryLimit(_ jobCount: Int) -> Bool { jobCount * Self.waitingByteCount <= limits.byteCount }

    /// The slot of the oldest request of a priority.
    func oldest(of priority: RequestPriority) -> Int? { queues.oldest(of: priority) }

    /// Moves a request to the newest end of the queue of its priority, as if it had arrived just now.
    mutating func renew(_ slot: Int) {
        queues.renew(slot, priority: table[slot: slot].priority)
    }
}

// MARK: Invariants

extension RequestBook {
    var values: some Sequence<Request> { table.values }

    func checkInvariants() throws(BrokenInvariant) {
        for request in table.values { try check(request) }
        var counts = Array(repeating: 0, count: RequestPriority.allCases.count)
        var jobCount = 0
        for request in table.values where !request.hasEnded {
            counts[request.priority.rawValue] += 1
            jobCount += request.maximumJobCount
            try BrokenInvariant.require(table[request.id]?.id == request.id, "a request that is not to be found")
        }
        try BrokenInvariant.require(queues.maximumJobCount == jobCount, "jobs of waiting requests miscounted")
        try BrokenInvariant.require(
            queues.maximumJobCount * Self.waitingByteCount <= max(0, limits.byteCount),
            "waiting requests take more memory than they may")
        for priority in RequestPriority.allCases {
            let count = counts[priority.rawValue]
            try BrokenInvariant.require(queues.count(of: priority) == count, "waiting requests miscounted")
            // Only `shedsOldest` keeps the number of waiting requests of a priority within the limit of that priority,
            // and it has no such limit for `.userInitiated`. `rejectsNewest` refuses new requests, but not requests
            // that change to this priority, so the limit can be exceeded.
            let isBounded = priority != .userInitiated && limits.overflow == .shedsOldest
            try BrokenInvariant.require(!isBounded || count <= max(0, limits[priority]), "more wait than may")
        }
    }

    private func check(_ request: Request) throws(BrokenInvariant) {
        if request.hasEnded {
            try BrokenInvariant.require(
                request.finalJob == nil && request.degradedJob == nil, "a job works for an ended request")
            try BrokenInvariant.require(request.alarm == nil, "a deadline of an ended request")
            try BrokenInvariant.require(request.isDraining, "an ended request that is kept for nobody")
            try BrokenInvariant.require(request.outbox.last?.isTerminal ?? true, "a result after the terminal one")
        } else {
            try BrokenInvariant.require(
                !request.outbox.contains { $0.isTerminal }, "a live request has its terminal result")
            try BrokenInvariant.require(
                request.lacksNetworkAccess ? request.degradedJob != nil : request.finalJob != nil,
                "a request that nothing will end")
            try BrokenInvariant.require((request.alarm != nil) == request.hasDeadline, "a deadline lost")
        }
        try BrokenInvariant.require(request.outbox.isEmpty || request.isDraining, "results that nobody takes")
    }
}
