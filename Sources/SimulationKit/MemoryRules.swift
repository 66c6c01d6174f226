import ThumbwheelCore
import ThumbwheelPipeline

/// The memory budget as the outside sees it (Semantics.md, "The memory budget"): memory in use fits the budget, unless
/// receivers hold more, or one job needs more than all of it, or jobs run that were started under a larger one. Files that
/// come over a network are held beside the one job.
struct MemoryRules {
    /// What may be spent: less than was granted where memory is short.
    private(set) var budget: Int
    private var granted: Int
    private var pressure = MemoryPressure.none
    /// The most that may ever have been in use so far.
    private var peakBound: Int
    /// How many jobs had been started when the budget was last cut.
    private var startCountAtCut = 0

    init(budget: Int) {
        self.budget = budget
        granted = budget
        peakBound = budget
    }

    mutating func setBudget(_ budget: Int, startCount: Int) {
        granted = budget
        limit(startCount: startCount)
    }

    mutating func setPressure(_ pressure: MemoryPressure, startCount: Int) {
        self.pressure = pressure
        limit(startCount: startCount)
    }

    private mutating func limit(startCount: Int) {
        let limit =
            switch pressure {
            case .none, .mild, .moderate: granted
            case .severe: granted / 2
            case .critical: 0
            }
        if limit < budget { startCountAtCut = startCount }
        budget = limit
        peakBound = max(peakBound, limit)
    }

    /// - Parameter onScreen: bytes that receivers hold.
    mutating func brokenRule(
        _ statistics: PipelineStatistics, of driver: PipelineDriver, onScreen: Int
    ) -> String? {
        let held = onScreen + driver.byteCountOnTheWay + driver.byteCountOfInputs
        let running = driver.runningJobs + driver.abandoned
        let rendering = running.reduce(0) { $0 + SimulatedWorld.reservedByteCount(for: $1) }
        // Bytes that have come, those that abandoned renders hold among them, and room for those that are coming.
        let fetching = driver.fetchedByteCount + driver.fetching.count * SimulatedWorld.remoteByteCount
        // Room for renditions that tiers below memory may have.
        let lookingUp = driver.lookingUpByteCount
        let cached = statistics.cachedByteCount + statistics.packedByteCount
        guard statistics.budgetUsedByteCount == cached + rendering + fetching + lookingUp else {
            return "the budget does not add up"
        }
        peakBound = max(peakBound, held + (running.count <= 1 ? rendering + fetching + lookingUp : 0))
        guard statistics.budgetPeakByteCount <= peakBound else { return "a peak beyond the budget and one job" }
        guard statistics.budgetUsedByteCount > budget else { return nil }
        guard cached <= held else { return "something cached beyond the budget that nobody holds" }
        let lateStarts = driver.starts[startCountAtCut...]
        let isExcused =
            running.count <= 1 || !running.contains { job in lateStarts.contains { $0.token === job.token } }
        return isExcused ? nil : "a job started beyond the budget beside another"
    }
}
