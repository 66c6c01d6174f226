import Thumbwheel
import ThumbwheelCore
import ThumbwheelPipeline

/// The store that the servers of a simulated run share: its values, and who claims the making of which.
struct SimulatedSharedStore: Sendable {
    /// A server that waits until another has made a rendition.
    struct Waiter: Sendable {
        let server: Int
        let assignment: ClaimAssignment
    }

    private struct Holder {
        let server: Int
        let id: ClaimID
        /// The time after which another server may win the claim, because this one may have died.
        let expiry: MonotonicTime
    }

    enum Answer: Sendable {
        case found, won, unavailable
    }

    private struct HeldClaim: Hashable {
        let server: Int
        let id: ClaimID
    }

    private var values: BoundedStore<RenditionKey>
    private var holders: [RenditionKey: Holder] = [:]
    private var heldKeys: [HeldClaim: RenditionKey] = [:]
    private var waiters: [RenditionKey: [Waiter]] = [:]
    private(set) var counts = ReplayTierCounts.Tier()

    init(byteLimit: Int) {
        values = BoundedStore(byteLimit: byteLimit)
    }

    /// The counts up to now, with the sizes at this moment.
    var presentCounts: ReplayTierCounts.Tier {
        var counts = counts
        counts.evictions = values.evictionCount
        counts.byteCount = values.byteCount
        counts.byteLimit = values.byteLimit
        return counts
    }

    mutating func lookUp(_ key: RenditionKey) -> Bool {
        counts.lookups += 1
        let isFound = values.contains(key)
        if isFound { counts.hits += 1 }
        return isFound
    }

    mutating func put(_ key: RenditionKey, byteCount: Int) {
        counts.writes += 1
        values.put(key, byteCount: byteCount)
    }

    /// Puts a value that the store has from the start.
    mutating func fill(_ key: RenditionKey, byteCount: Int) { values.put(key, byteCount: byteCount) }

    /// Claims a rendition for a server.
    ///
    /// - Returns: the answer; nil if the server waits for another that is making the rendition.
    mutating func claim(_ waiter: Waiter, at now: MonotonicTime) -> Answer? {
        let key = waiter.assignment.key
        if values.contains(key) { return .found }
        if let holder = holders[key], now < holder.expiry {
            waiters[key, default: []].append(waiter)
            return nil
        }
        win(waiter, at: now)
        return .won
    }

    private mutating func win(_ waiter: Waiter, at now: MonotonicTime) {
        let (key, id) = (waiter.assignment.key, waiter.assignment.id)
        if let former = holders[key] { heldKeys[HeldClaim(server: former.server, id: former.id)] = nil }
        holders[key] = Holder(
            server: waiter.server, id: id, expiry: now.advanced(by: waiter.assignment.lifetime))
        heldKeys[HeldClaim(server: waiter.server, id: id)] = key
    }

    /// Ends a claim that a server has won. If the store has the rendition, all who wait get it. If not, the first of
    /// them wins the claim, and the others go on waiting.
    ///
    /// - Returns: those who are answered.
    mutating func endClaim(_ id: ClaimID, of server: Int, at now: MonotonicTime) -> [(waiter: Waiter, answer: Answer)] {
        guard let key = heldKeys.removeValue(forKey: HeldClaim(server: server, id: id)) else { return [] }
        holders[key] = nil
        guard var waiting = waiters.removeValue(forKey: key), !waiting.isEmpty else { return [] }
        if values.contains(key) { return waiting.map { ($0, .found) } }
        let winner = waiting.removeFirst()
        win(winner, at: now)
        if !waiting.isEmpty { waiters[key] = waiting }
        return [(winner, .won)]
    }

    /// Lets a server stop waiting; nil if it does not wait.
    mutating func stopWaiting(_ token: CancellationToken) -> Waiter? {
        for (key, waiting) in waiters {
            guard let index = waiting.firstIndex(where: { $0.assignment.token === token }) else { continue }
            return waiters[key]?.remove(at: index)
        }
        return nil
    }

    /// Forgets all who wait, because their processes have ended. Their claims that were won stay until they expire.
    mutating func forgetWaiters() { waiters = [:] }
}
