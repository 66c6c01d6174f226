import ThumbwheelCore
import ThumbwheelScheduling

/// One tenant's requests that wait and run, and its virtual clock.
struct AdmissionTenant {
    /// A request that waits.
    struct Waiting {
        let number: Int
        let rank: (RequestPriority, Double)
        let start: @Sendable (AdmissionTurns.Entry) -> Void

        /// Whether this request goes before one that came before it.
        func precedes(_ older: Waiting) -> Bool { rank <= older.rank }
    }

    let weight: Double
    private let limit: Int
    /// The requests that wait, the next one last.
    var waiting: [Waiting] = []
    /// The requests that run, with the times that they were charged with.
    private(set) var running: [Int: Double] = [:]
    private(set) var clock = 0.0
    /// The time that a request takes, in milliseconds: a mean of the latest.
    private var meanCost = 1.0
    /// The time until which the tenant's share is kept for it, although it asks for nothing.
    private(set) var presentUntil = MonotonicTime.zero

    /// The least time that a request is charged with, even one that the cache answers.
    private static let leastCost = 0.05
    /// After a request, the tenant's share is kept for `keptRatio` times the mean time of its requests, and for `keptLimit`
    /// milliseconds at most. So workers stand idle at most in proportion to the work that they do for the tenant.
    private static let (keptRatio, keptLimit) = (4.0, 50.0)

    init(_ share: Admission.Share) {
        (weight, limit) = (max(0.001, share.weight), share.limit)
    }

    var isIdle: Bool { waiting.isEmpty && running.isEmpty }

    var isFull: Bool { waiting.count + running.count >= limit }

    /// Whether the tenant asks for something, or probably will in a moment.
    func isPresent(at now: MonotonicTime) -> Bool { !isIdle || presentUntil > now }

    func place(of number: Int) -> Int? { waiting.lastIndex { $0.number == number } }

    /// Puts an idle tenant's clock to the present.
    mutating func catchUp(with present: Double) {
        if isIdle { clock = max(clock, present) }
    }

    mutating func add(_ request: Waiting) {
        // The requests are in order, the next one last, so the place is found by halving.
        var (low, high) = (0, waiting.count)
        while low < high {
            let middle = (low + high) / 2
            if request.precedes(waiting[middle]) { low = middle + 1 } else { high = middle }
        }
        waiting.insert(request, at: low)
    }

    /// Moves the next request to those that run, and charges it with the mean.
    mutating func startNext() -> Waiting {
        let request = waiting.removeLast()
        advance(meanCost)
        running[request.number] = meanCost
        return request
    }

    /// Ends a request that runs.
    ///
    /// - Returns: whether it ran.
    mutating func end(_ number: Int, milliseconds: Double?, at now: MonotonicTime) -> Bool {
        guard let charged = running.removeValue(forKey: number) else { return false }
        if let milliseconds {
            let cost = max(Self.leastCost, milliseconds)
            advance(cost - charged)
            meanCost += (cost - meanCost) / 8
        }
        presentUntil = now.advanced(byMilliseconds: min(Self.keptRatio * meanCost, Self.keptLimit))
        return true
    }

    /// Moves the clock on by a time, in milliseconds, over the weight.
    mutating func advance(_ milliseconds: Double) { clock += milliseconds / weight }
}
