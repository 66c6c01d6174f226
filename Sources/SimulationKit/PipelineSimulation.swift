import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelPipeline
import ThumbwheelRendering

/// A pipeline value in a simulated history: takes one event after another on a virtual clock, and judges each outcome by the
/// pipeline's own invariants and by what a caller knows without looking inside.
///
/// The same history gives the same actions.
struct PipelineSimulation {
    var driver: PipelineDriver
    var tally = SimulationTally()
    var ledger = RequestLedger()
    /// The open windows: their number in the history, and the pipeline's.
    var windows: [(number: Int, identifier: Int)] = []
    var rules: MemoryRules
    var screen = SimulatedScreen()
    let setup: SimulatedHistory.Setup
    /// The faults of tiers below memory that last.
    var tierFaults: [StorageTier: SimulatedTierFault] = [:]
    var refusedCount = 0
    var isClosed = false

    init(_ setup: SimulatedHistory.Setup, invariantInterval: Int = 1) {
        self.setup = setup
        rules = MemoryRules(budget: setup.budget)
        driver = PipelineDriver(
            configuration: PipelineState.Configuration(workerCount: setup.workerCount, budget: setup.budget) {
                $0.fetchLimit = SimulatedWorld.fetchLimit
                $0.servesNewestFirst = setup.servesNewestFirst
                $0.weighsCost = setup.weighsCost
                $0.keepsRenditions = setup.keepsRenditions
                $0.packedTiers = setup.packsRenditions ? MemoryTier.packedTiers : []
                $0.storageTiers = setup.tiers
                $0.claimTimeout = SimulatedWorld.claimTimeout
                $0.renderTimeLimit = SimulatedWorld.renderTimeLimit
                $0.queueLimits = setup.queue.limits
            },
            trapsWhenBroken: false, invariantInterval: invariantInterval)
    }

    /// Whether the tier below memory answers so late that its look-ups hang now and then.
    var hasSlowTiers: Bool { setup.workerCount % 2 == 0 }

    /// The requests whose results somebody has been asked to take.
    var drainable: [Int] { driver.drains.map { ledger[$0]?.number ?? 0 } }

    /// Has an event happen.
    ///
    /// - Returns: the rule that is broken by its outcome.
    mutating func take(_ step: SimulatedStep) -> String? {
        if step.delay > 0 {
            driver.now = driver.now.advanced(byMilliseconds: step.delay)
            tally.count(.clockMoved)
        }
        if screen.scroll() { letPipelineLook() }
        let startCount = driver.starts.count
        return take(step.event) ?? brokenRule(since: startCount)
    }

    /// An event without any content: what receivers have let go of is seen at the next one.
    mutating func letPipelineLook() {
        driver.beginBatch()
        driver.endBatch()
    }

    private mutating func take(_ event: SimulatedEvent) -> String? {
        switch event {
        case .submit(let request): return submit(request)
        case .refuse: refuse()
        case .cancel(let number): cancel(ledger.identifier(of: number))
        case .move(let number, let priority, let urgency):
            move(ledger.identifier(of: number), to: priority, urgency: urgency)
        case .cancelAll: cancelAll()
        case .drain(let number): return drain(ledger.identifier(of: number))
        case .finish(let worker, let ending): finish(worker, ending)
        case .finishAbandoned(let index):
            guard driver.abandoned.indices.contains(index) else { break }
            tally.count(.abandonedEnded)
            driver.finishAbandoned(index)
        case .progressFetch(let asset, let fraction): progressFetch(of: asset, to: fraction)
        case .finishFetch(let asset, let ending): finishFetch(of: asset, ending)
        case .finishLookUp(let asset, let ending): finishLookUp(of: asset, ending)
        case .finishClaim(let asset, let ending): finishClaim(of: asset, ending)
        case .failTier(let tier, let fault): fail(tier, fault)
        case .wake: wake()
        case .setBudget(let budget): setBudget(budget)
        case .setMemoryPressure(let pressure): setMemoryPressure(pressure)
        case .close(let isGraceful): close(isGraceful: isGraceful)
        case .batch(let events):
            tally.count(.batched)
            driver.beginBatch()
            defer { driver.endBatch() }
            for event in events {
                if let broken = take(event) { return broken }
            }
        case .openWindow(let number): openWindow(number)
        case .closeWindow(let number): closeWindow(number)
        case .startCaching(let number, let entries): startCaching(entries, in: number)
        case .stopCaching(let number, let pictures): stopCaching(pictures, in: number)
        case .stopCachingAll(let number): stopCachingAll(in: number)
        case .switchQuality(let number, let allows): switchQuality(of: number, allows: allows)
        case .forget(let asset): return forget(asset)
        }
        return nil
    }
}
