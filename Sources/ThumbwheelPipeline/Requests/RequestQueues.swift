import ThumbwheelCaching
import ThumbwheelScheduling

/// The waiting requests, in one queue for each priority, from the newest to the oldest. A queue contains the numbers of
/// the slots that hold the requests in the request table. Every operation takes constant time.
struct RequestQueues: Sendable {
    private var links = LinkedSlots(listCount: RequestPriority.allCases.count)
    private var slotCount = 0
    private var counts = Array(repeating: 0, count: RequestPriority.allCases.count)
    private var jobCounts = Array(repeating: 0, count: RequestPriority.allCases.count)

    /// The sum of `maximumJobCount` of all waiting requests.
    var maximumJobCount: Int { jobCounts.reduce(0, +) }

    /// The sum of `maximumJobCount` of all waiting requests with a higher priority than `priority`.
    func maximumJobCount(above priority: RequestPriority) -> Int { jobCounts[..<priority.rawValue].reduce(0, +) }

    /// The number of waiting requests of all priorities.
    var count: Int { counts.reduce(0, +) }

    func count(of priority: RequestPriority) -> Int { counts[priority.rawValue] }

    func oldest(of priority: RequestPriority) -> Int? { links.last(of: priority.rawValue) }

    mutating func add(_ slot: Int, _ request: PipelineState.Request) {
        while slotCount <= slot {
            links.addSlot()
            slotCount += 1
        }
        links.linkFirst(slot, into: request.priority.rawValue)
        counts[request.priority.rawValue] += 1
        jobCounts[request.priority.rawValue] += request.maximumJobCount
    }

    /// Removes a request from the queue of its priority.
    ///
    /// - Parameter request: the request as it was when it was added, with the same priority and `maximumJobCount`.
    mutating func remove(_ slot: Int, _ request: PipelineState.Request) {
        links.unlink(slot)
        counts[request.priority.rawValue] -= 1
        jobCounts[request.priority.rawValue] -= request.maximumJobCount
    }

    /// Frees the storage of the queues if no request is left and the storage is large.
    mutating func shrink() {
        if slotCount > PipelineState.keptCapacity, count == 0 { self = RequestQueues() }
    }

    /// Moves a request to the newest end of the queue of its priority, as if it had arrived just now.
    mutating func renew(_ slot: Int, priority: RequestPriority) {
        links.moveToFront(slot, of: priority.rawValue)
    }
}
