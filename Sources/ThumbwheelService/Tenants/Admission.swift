import ThumbwheelLocks
import ThumbwheelScheduling

/// Lets requests of tenants go to the image manager: each tenant in its turn by weight, and within a tenant first by
/// priority, then by urgency, then the newest.
///
/// The order between tenants is that of virtual time: each request moves its tenant's clock on by the time that it took over
/// its weight, and the tenant with the earliest clock is next. How long a request takes is known at its end, so it is charged with what
/// the tenant's requests took before, and the clock is put right then. A tenant that was idle starts at the present, so it cannot save up turns.
final class Admission: Sendable {
    /// A tenant's part.
    struct Share {
        var weight: Double
        /// How many requests may wait and run.
        var limit: Int
    }

    /// A request that was let in to wait.
    struct Entry: Hashable {
        fileprivate let tenant: Int
        fileprivate let number: Int
    }

    /// How many requests of a tenant wait and run.
    struct Count: Equatable {
        var waiting = 0
        var running = 0
    }

    fileprivate struct Waiting {
        let entry: Entry
        let rank: (RequestPriority, Double)
        let start: @Sendable (Entry) -> Void

        /// Whether this request goes before one that came before it.
        func precedes(_ older: Waiting) -> Bool { rank <= older.rank }
    }

    fileprivate struct Tenant {
        let share: Share
        /// The requests that wait, the next one last.
        var queue: [Waiting] = []
        var clock = 0.0
        /// The requests that run, with the times that they were charged with.
        var running: [Int: Double] = [:]
        /// The time that a request takes, in milliseconds: a mean of the latest.
        var meanCost = 1.0

        /// The least time that a request is charged with, even one that the cache answers.
        private static let leastCost = 0.05

        mutating func charge(_ milliseconds: Double, instead charged: Double = 0) {
            let cost = max(Self.leastCost, milliseconds)
            clock += (cost - charged) / max(0.001, share.weight)
            meanCost += (cost - meanCost) / 8
        }
    }

    private struct State {
        var tenants: [Tenant]
        var nextNumber = 0
        var runningCount = 0
        /// The clock of the request that went in last.
        var present = 0.0
        /// Whether a thread starts requests at present.
        var isStarting = false
    }

    private let runningLimit: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - shares: The tenants' parts.
    ///   - runningLimit: How many requests of all tenants may be with the manager at once.
    init(_ shares: [Share], runningLimit: Int) {
        self.runningLimit = max(1, runningLimit)
        state = Mutex(State(tenants: shares.map { Tenant(share: $0) }))
    }

    /// Lets a request in.
    ///
    /// - Parameter start: Called when it is the request's turn, perhaps before this method returns, and perhaps on a thread that
    ///   lets another request in or out. Each call is answered by one of `leave`, which `start` itself may call.
    /// - Returns: nil if the tenant has too many requests already; `start` is then never called.
    func enter(
        _ tenant: Int, _ hint: PriorityHint, start: @escaping @Sendable (Entry) -> Void
    ) -> Entry? {
        let entry = state.withLock { state -> Entry? in
            let present = state.present
            let number = state.nextNumber
            let isRefused = state.tenants[tenant].isFull
            guard !isRefused else { return nil }
            state.nextNumber += 1
            let entry = Entry(tenant: tenant, number: number)
            state.tenants[tenant].add(
                Waiting(entry: entry, rank: (hint.priority, hint.urgency), start: start), present: present)
            return entry
        }
        startNext()
        return entry
    }

    /// Says that a request that was started has ended.
    ///
    /// - Parameter milliseconds: The time that it took of a worker; nil if that is not known.
    func leave(_ entry: Entry, milliseconds: Double? = nil) {
        state.withLock { state in
            guard let charged = state.tenants[entry.tenant].running.removeValue(forKey: entry.number) else { return }
            state.runningCount -= 1
            if let milliseconds { state.tenants[entry.tenant].charge(milliseconds, instead: charged) }
        }
        startNext()
    }

    /// Charges a tenant with work that was not let in here.
    func charge(_ tenant: Int, _ milliseconds: Double) {
        state.withLock { state in
            // An idle tenant's clock is put to the present before it is moved on, as that of a request would be.
            let isIdle = state.tenants[tenant].queue.isEmpty && state.tenants[tenant].running.isEmpty
            if isIdle { state.tenants[tenant].clock = max(state.tenants[tenant].clock, state.present) }
            state.tenants[tenant].clock += milliseconds / max(0.001, state.tenants[tenant].share.weight)
        }
    }

    /// Takes a request back that waits.
    ///
    /// - Returns: whether it waited. If not, it has been started.
    func withdraw(_ entry: Entry) -> Bool {
        let request = state.withLock { state -> Waiting? in
            guard let index = state.tenants[entry.tenant].queue.lastIndex(where: { $0.entry == entry }) else {
                return nil
            }
            return state.tenants[entry.tenant].queue.remove(at: index)
        }
        return request != nil
    }

    /// How many requests of each tenant wait and run.
    var counts: [Count] {
        state.withLock { $0.tenants.map { Count(waiting: $0.queue.count, running: $0.running.count) } }
    }

    /// Whether a request waits for its turn.
    func isWaiting(_ entry: Entry) -> Bool {
        state.withLock { $0.tenants[entry.tenant].queue.contains { $0.entry == entry } }
    }

    /// Starts the requests whose turn it is, one after another. One thread does so at a time: a request that ends while it is
    /// started only makes room for the loop's next round. If it started the next request itself, each request that the cache
    /// answers at once would lie one level deeper on the stack.
    private func startNext() {
        let isMine = state.withLock { state in
            defer { state.isStarting = true }
            return !state.isStarting
        }
        guard isMine else { return }
        while let request = state.withLock({ state in
            let next = Self.takeNext(&state, runningLimit)
            // The loop ends under the lock under which others make room or add requests, so that none is overlooked.
            if next == nil { state.isStarting = false }
            return next
        }) {
            request.start(request.entry)
        }
    }

    private static func takeNext(_ state: inout State, _ limit: Int) -> Waiting? {
        guard state.runningCount < limit else { return nil }
        let waiting = state.tenants.indices.filter { !state.tenants[$0].queue.isEmpty }
        guard let next = waiting.min(by: { state.tenants[$0].clock < state.tenants[$1].clock }) else { return nil }
        let request = state.tenants[next].queue.removeLast()
        state.present = state.tenants[next].clock
        let cost = state.tenants[next].meanCost
        state.tenants[next].clock += cost / max(0.001, state.tenants[next].share.weight)
        state.tenants[next].running[request.entry.number] = cost
        state.runningCount += 1
        return request
    }
}

extension Admission.Tenant {
    fileprivate var isFull: Bool { queue.count + running.count >= share.limit }

    fileprivate mutating func add(_ request: Admission.Waiting, present: Double) {
        if queue.isEmpty && running.isEmpty { clock = max(clock, present) }
        // The queue is in order, the next one last, so the place is found by halving.
        var (low, high) = (0, queue.count)
        while low < high {
            let middle = (low + high) / 2
            if request.precedes(queue[middle]) { low = middle + 1 } else { high = middle }
        }
        queue.insert(request, at: low)
    }
}
