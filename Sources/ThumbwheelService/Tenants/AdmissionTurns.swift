import ThumbwheelCore
import ThumbwheelScheduling

/// The requests of all tenants that wait and run, and whose turn is next: a value without clocks, locks or threads.
///
/// - The tenant with the earliest virtual clock is next. Each request moves its tenant's clock on by the time that it took over
///   the tenant's weight. How long a request takes is known at its end, so it is charged with what the tenant's requests took
///   before, and the clock is put right then. A tenant that was idle starts at the present, so it cannot save up turns.
/// - A render that runs is not interrupted. So a tenant that was answered a moment ago keeps its share of the workers free
///   from others: its next request, which its client sends once it has the answer, need not wait for another tenant's render.
struct AdmissionTurns {
    /// A request that was let in to wait.
    struct Entry: Hashable {
        fileprivate let tenant: Int
        fileprivate let number: Int
    }

    /// A request whose turn it is.
    typealias Turn = (entry: Entry, start: @Sendable (Entry) -> Void)

    private let workerCount: Int
    private let runningLimit: Int
    private var tenants: [AdmissionTenant]
    private var nextNumber = 0
    private var runningCount = 0
    /// The clock of the request that went in last.
    private var present = 0.0

    /// - Parameters:
    ///   - workerCount: How many requests are worked on at once.
    ///   - runningLimit: How many requests of all tenants may be with the manager at once.
    init(_ shares: [Admission.Share], workerCount: Int, runningLimit: Int) {
        (self.workerCount, self.runningLimit) = (workerCount, max(1, runningLimit))
        tenants = shares.map { AdmissionTenant($0) }
    }

    var counts: [Admission.Count] {
        tenants.map { Admission.Count(waiting: $0.waiting.count, running: $0.running.count) }
    }

    func isWaiting(_ entry: Entry) -> Bool { tenants[entry.tenant].place(of: entry.number) != nil }

    /// Adds a request to those that wait; nil if the tenant has too many already.
    mutating func enter(
        _ tenant: Int, _ hint: PriorityHint, start: @escaping @Sendable (Entry) -> Void
    ) -> Entry? {
        guard !tenants[tenant].isFull else { return nil }
        let entry = Entry(tenant: tenant, number: nextNumber)
        nextNumber += 1
        tenants[tenant].catchUp(with: present)
        tenants[tenant].add(.init(number: entry.number, rank: (hint.priority, hint.urgency), start: start))
        return entry
    }

    /// Ends a request that was started.
    mutating func leave(_ entry: Entry, milliseconds: Double?, at now: MonotonicTime) {
        guard tenants[entry.tenant].end(entry.number, milliseconds: milliseconds, at: now) else { return }
        runningCount -= 1
    }

    /// Charges a tenant with work that was not let in here.
    mutating func charge(_ tenant: Int, _ milliseconds: Double) {
        // An idle tenant's clock is put to the present before it is moved on, as that of a request would be.
        tenants[tenant].catchUp(with: present)
        tenants[tenant].advance(milliseconds)
    }

    /// Removes a request that waits.
    ///
    /// - Returns: whether it waited.
    mutating func withdraw(_ entry: Entry) -> Bool {
        guard let place = tenants[entry.tenant].place(of: entry.number) else { return false }
        tenants[entry.tenant].waiting.remove(at: place)
        return true
    }

    /// Moves the request whose turn it is to those that run.
    mutating func takeNext(at now: MonotonicTime) -> Turn? {
        guard runningCount < runningLimit else { return nil }
        let ready = tenants.indices.filter {
            !tenants[$0].waiting.isEmpty && tenants[$0].running.count < places(of: $0, at: now)
        }
        guard let next = ready.min(by: { tenants[$0].clock < tenants[$1].clock }) else { return nil }
        present = tenants[next].clock
        let request = tenants[next].startNext()
        runningCount += 1
        return (Entry(tenant: next, number: request.number), request.start)
    }

    /// The time at which a place that is kept free now may be taken by others; nil if no request waits for one.
    func endOfKeptPlaces(at now: MonotonicTime) -> MonotonicTime? {
        guard runningCount < runningLimit, tenants.contains(where: { !$0.waiting.isEmpty }) else { return nil }
        return tenants.filter { $0.isIdle }.map(\.presentUntil).filter { $0 > now }.min()
    }

    /// The number of requests of a tenant that may run at once. Without other tenants, and beside others whose shares
    /// are less than a worker, that is `runningLimit`. Else it is the number of workers without the others' shares, and at
    /// least 1.
    private func places(of tenant: Int, at now: MonotonicTime) -> Int {
        let others = tenants.indices.filter { $0 != tenant && tenants[$0].isPresent(at: now) }
        guard !others.isEmpty else { return runningLimit }
        let weights = tenants[tenant].weight + others.reduce(0) { $0 + tenants[$1].weight }
        let kept = others.reduce(0) { sum, other in
            let share = Int(Double(workerCount) * tenants[other].weight / weights)
            // A tenant that asks for one picture after another needs one worker, whatever its share.
            return sum + min(share, tenants[other].running.count + 1)
        }
        return kept == 0 ? runningLimit : max(1, workerCount - kept)
    }
}
