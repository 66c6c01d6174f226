import Dispatch
import ThumbwheelCore
import ThumbwheelLocks

/// Lets requests of tenants go to the image manager: each tenant in its turn by weight, and within a tenant first by
/// priority, then by urgency, then the newest. `AdmissionTurns` has the rules.
final class Admission: Sendable {
    /// A tenant's part.
    struct Share {
        var weight: Double
        /// How many requests may wait and run.
        var limit: Int
    }

    /// How many requests of a tenant wait and run.
    struct Count: Equatable {
        var waiting = 0
        var running = 0
    }

    typealias Entry = AdmissionTurns.Entry

    /// The time, and a way to have something done at a later one.
    struct Clock: Sendable {
        var now: @Sendable () -> MonotonicTime
        var run: @Sendable (_ time: MonotonicTime, _ work: @escaping @Sendable () -> Void) -> Void

        /// The machine's own.
        static let machine = Clock(
            now: { .now },
            run: { time, work in
                let nanoseconds = max(0, time.nanoseconds - MonotonicTime.now.nanoseconds)
                DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds)), execute: work)
            })
    }

    private struct State {
        var turns: AdmissionTurns
        /// Whether a thread starts requests at present.
        var isStarting = false
        /// When the next look at places that are kept free is due, if one is.
        var nextLook: MonotonicTime?

        /// When to look again, if no look is planned.
        mutating func planLook(at now: MonotonicTime) -> MonotonicTime? {
            guard nextLook == nil else { return nil }
            nextLook = turns.endOfKeptPlaces(at: now)
            return nextLook
        }
    }

    private let clock: Clock
    private let state: Mutex<State>

    /// - Parameters:
    ///   - shares: The tenants' parts.
    ///   - workerCount: How many requests the manager works on at once.
    ///   - runningLimit: How many requests of all tenants may be with the manager at once.
    init(_ shares: [Share], workerCount: Int, runningLimit: Int, clock: Clock = .machine) {
        self.clock = clock
        state = Mutex(State(turns: AdmissionTurns(shares, workerCount: workerCount, runningLimit: runningLimit)))
    }

    /// Lets a request in.
    ///
    /// - Parameter start: Called when it is the request's turn, perhaps before this method returns, and perhaps on a thread that
    ///   lets another request in or out. Each call is answered by one of `leave`, which `start` itself may call.
    /// - Returns: nil if the tenant has too many requests already; `start` is then never called.
    func enter(
        _ tenant: Int, _ hint: PriorityHint, start: @escaping @Sendable (Entry) -> Void
    ) -> Entry? {
        let entry = state.withLock { $0.turns.enter(tenant, hint, start: start) }
        startNext()
        return entry
    }

    /// Says that a request that was started has ended.
    ///
    /// - Parameter milliseconds: The time that it took of a worker; nil if that is not known.
    func leave(_ entry: Entry, milliseconds: Double? = nil) {
        let now = clock.now()
        state.withLock { $0.turns.leave(entry, milliseconds: milliseconds, at: now) }
        startNext()
    }

    /// Charges a tenant with work that was not let in here.
    func charge(_ tenant: Int, _ milliseconds: Double) {
        state.withLock { $0.turns.charge(tenant, milliseconds) }
    }

    /// Takes a request back that waits.
    ///
    /// - Returns: whether it waited. If not, it has been started.
    func withdraw(_ entry: Entry) -> Bool { state.withLock { $0.turns.withdraw(entry) } }

    /// How many requests of each tenant wait and run.
    var counts: [Count] { state.withLock { $0.turns.counts } }

    /// Whether a request waits for its turn.
    func isWaiting(_ entry: Entry) -> Bool { state.withLock { $0.turns.isWaiting(entry) } }

    /// Starts the requests whose turn it is, one after another. One thread does so at a time: a request that ends while it is
    /// started only makes room for the loop's next round. If it started the next request itself, each request that the cache
    /// answers at once would lie one level deeper on the stack.
    private func startNext() {
        let isMine = state.withLock { state in
            defer { state.isStarting = true }
            return !state.isStarting
        }
        guard isMine else { return }
        while true {
            let now = clock.now()
            let (turn, look) = state.withLock { state -> (AdmissionTurns.Turn?, MonotonicTime?) in
                if let turn = state.turns.takeNext(at: now) { return (turn, nil) }
                // The loop ends under the lock under which others make room or add requests, so that none is overlooked.
                state.isStarting = false
                return (nil, state.planLook(at: now))
            }
            guard let turn else {
                if let look { clock.run(look) { [weak self] in self?.lookAgain() } }
                return
            }
            turn.start(turn.entry)
        }
    }

    /// Starts those that waited for places that are no longer kept free.
    private func lookAgain() {
        state.withLock { $0.nextLook = nil }
        startNext()
    }
}
