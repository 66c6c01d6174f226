import Thumbwheel

/// One history of a pipeline value: random events from a seed, on a virtual clock, judged after each of them by the
/// pipeline's own invariants and by what a caller knows without looking inside.
///
/// The same seed gives the same history, action for action.
package struct PipelineSimulation {
    package struct Failure: Error, CustomStringConvertible {
        package let seed: UInt64
        package let event: Int
        package let reason: String

        package var description: String { "seed \(seed), event \(event): \(reason)" }
    }

    package let seed: UInt64
    package internal(set) var tally = SimulationTally()
    let world = SimulatedWorld()
    var random: SeededGenerator
    var driver: PipelineDriver
    var ledger = RequestLedger()
    var windows: [Int] = []
    var budget: Int
    var isClosed = false
    let queueLimits: QueueLimits
    /// How many jobs that cannot be stopped may run at once.
    private let unstoppableBound: Int
    private let keepsRenditions: Bool
    private let eventCount: Int
    private var eventNumber = 0

    package init(seed: UInt64, eventCount: Int = 240) {
        self.seed = seed
        self.eventCount = eventCount
        random = SeededGenerator(seed: seed)
        let workerCount = 1 + random.index(below: 8)
        unstoppableBound = max(1, workerCount - 1)
        // From less than one job needs to more than the whole world.
        budget = [1 << 18, 1 << 20, 3 << 20, 8 << 20, 64 << 20][random.index(below: 5)]
        keepsRenditions = random.index(below: 10) > 0
        queueLimits =
            [
                QueueLimits(), QueueLimits(prefetch: 2, background: 1),
                QueueLimits(userInitiated: 8, prefetch: 3, background: 2, overflow: .rejectsNewest),
            ][random.index(below: 3)]
        driver = PipelineDriver(
            configuration: PipelineState.Configuration(
                workerCount: workerCount, budget: budget, fetchLimit: 2,
                servesNewestFirst: random.index(below: 2) == 0, keepsRenditions: keepsRenditions,
                renderTimeLimit: SimulatedWorld.renderTimeLimit, queueLimits: queueLimits))
        openWindow()
    }

    /// A digest of all the actions that the history led to.
    package var digest: UInt64 { driver.digest }

    package mutating func run() throws(Failure) {
        while eventNumber < eventCount {
            eventNumber += 1
            let startCount = driver.starts.count
            if let fault = step() { throw failure(fault) }
            if let fault = fault(since: startCount) { throw failure(fault) }
        }
        if let fault = settle() { throw failure(fault) }
        tally.endHistory(driver.state.statistics)
    }

    private func failure(_ reason: String) -> Failure { Failure(seed: seed, event: eventNumber, reason: reason) }

    // MARK: What must hold after an event

    private mutating func fault(since startCount: Int) -> String? {
        if let violation = driver.violations.first { return violation }
        let statistics = driver.state.statistics
        let running = driver.runningJobs
        guard statistics.runningRenderCount == running.count else { return "the count of running jobs is wrong" }
        let reserved = running.reduce(0) { $0 + world.reservedByteCount(for: $1.key) }
        let fetched = driver.fetchedByteCount + driver.fetching.count * SimulatedWorld.remoteByteCount
        guard statistics.budgetUsedByteCount == statistics.cachedByteCount + reserved + fetched else {
            return "the budget does not add up"
        }
        let unstoppableCount = running.count { !world.isStoppable($0.key) }
        guard unstoppableCount <= unstoppableBound else { return "too many jobs run that cannot be stopped" }
        if driver.starts.count > startCount {
            // Rule 5: beyond the budget only with what is held and one job.
            if statistics.budgetUsedByteCount > budget {
                tally.count(.ranBeyondBudget)
                guard running.count == 1 else { return "a job started beyond the budget beside another" }
            }
            for started in driver.starts[startCount...] {
                if let fault = fault(inOrderOf: started, among: running) { return fault }
            }
        }
        return nil
    }

    /// Work that no visible request can profit from must not start while a visible request's job waits.
    private func fault(inOrderOf started: RenderAssignment, among running: [RenderAssignment]) -> String? {
        guard !ledger.hasOpenRequest(for: started.key.subject, at: .userInitiated) else { return nil }
        let unstoppableCount = running.count { !world.isStoppable($0.key) }
        // Whose bytes are elsewhere waits for them, and not for a worker.
        let isSomeoneWaiting = ledger.waiting(at: .userInitiated).contains { entry in
            !entry.isRemote && !running.contains { $0.key == entry.key }
                && (unstoppableCount < unstoppableBound || world.isStoppable(entry.key))
        }
        return isSomeoneWaiting ? "a prefetch started in front of a visible request" : nil
    }

    // MARK: The end of a history

    /// Lets all work come to an end, and checks that nothing is left.
    private mutating func settle() -> String? {
        finishAll()
        if let fault = drainAll() { return fault }
        // With the windows still there: what they hold must not keep a request from its end.
        guard ledger.open.isEmpty else { return "\(ledger.open.count) requests never end" }
        guard driver.state.statistics.liveRequestCount == 0 else { return "live requests without a caller" }
        while !windows.isEmpty { closeWindow(at: 0) }
        finishAll()
        let statistics = driver.state.statistics
        guard statistics.queuedRenderCount == 0 else { return "jobs that nobody wants" }
        guard statistics.queuedFetchCount == 0 else { return "fetches that nobody wants" }
        guard statistics.budgetUsedByteCount == statistics.cachedByteCount else { return "a reservation leaked" }
        guard statistics.cachedByteCount <= budget else { return "the cache exceeds the budget" }
        guard driver.isIdle == isClosed else { return "closed and never idle, or idle though open" }
        guard keepsRenditions || statistics.cachedByteCount == 0 else { return "kept what was not to be kept" }
        let requests = statistics.requests
        guard requests.submitted == ledger.endedCount, ledger.endedCount == ledger.entries.count,
            requests.delivered + requests.failed + requests.cancelled + requests.shed == ledger.endedCount
        else { return "the counts do not add up" }
        return driver.violations.first
    }

    private mutating func finishAll() {
        while true {
            if let assignment = driver.fetching.first {
                finish(assignment)
            } else if let assignment = driver.runningJobs.first {
                finish(assignment, isSettling: true)
            } else {
                return
            }
        }
    }

    private mutating func drainAll() -> String? {
        while let id = driver.drains.first {
            if let fault = drain(id) { return fault }
        }
        return nil
    }
}
