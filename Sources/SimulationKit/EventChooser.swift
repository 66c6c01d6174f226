import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelPipeline
import ThumbwheelScheduling

/// Chooses, from a seed, what happens next in a history: only what is possible there, or nearly so.
struct EventChooser {
    private var random: SeededGenerator
    /// Choices about tiers below memory. They have numbers of their own, so that histories without tiers are as they were
    /// before there was any.
    private var tierRandom: SeededGenerator
    /// Choices about the tier that servers share, for the same reason.
    private var sharedRandom: SeededGenerator
    /// Choices about faults of tiers, for the same reason.
    private var faultRandom: SeededGenerator
    private let allowsSharedTier: Bool
    private var requestCount = 0
    private var windowCount = 0

    /// - Parameter allowsSharedTier: whether histories may have a tier that servers share, and tiers with faults that last.
    ///   Without it they are as they were before there was either.
    init(seed: UInt64, allowsSharedTier: Bool = true) {
        self.allowsSharedTier = allowsSharedTier
        sharedRandom = SeededGenerator(seed: seed ^ 0x1B87_3593_CC9E_2D51)
        faultRandom = SeededGenerator(seed: seed ^ 0x2545_F491_4F6C_DD1D)
        random = SeededGenerator(seed: seed)
        tierRandom = SeededGenerator(seed: seed ^ 0x5DEE_CE66_D1CE_4E5B)
    }

    mutating func setup() -> SimulatedHistory.Setup {
        var setup = setupWithoutSharedTier()
        // With and without a disk.
        if allowsSharedTier, sharedRandom.index(below: 3) == 0 {
            setup.hasSharedTier = true
            setup.hasTiers = sharedRandom.index(below: 2) == 0
        }
        return setup
    }

    private mutating func setupWithoutSharedTier() -> SimulatedHistory.Setup {
        SimulatedHistory.Setup(
            workerCount: 1 + random.index(below: 8),
            // From less than one job needs to more than the whole world.
            budget: one(of: [1 << 18, 1 << 20, 3 << 20, 8 << 20, 64 << 20]),
            servesNewestFirst: random.index(below: 2) == 0, keepsRenditions: random.index(below: 10) > 0,
            packsRenditions: random.index(below: 2) == 0,
            weighsCost: random.index(below: 4) > 0, queue: one(of: SimulatedHistory.Queue.allCases),
            hasTiers: tierRandom.index(below: 3) == 0)
    }

    /// A step that `simulation` can take. Now and then nothing comes of it, as in life.
    mutating func step(in simulation: PipelineSimulation) -> SimulatedStep {
        let delay = random.index(below: 4) > 0 ? random.unit() * 5 : 0
        let now = simulation.driver.now.advanced(byMilliseconds: delay)
        // Timers are late at times.
        let wakes = simulation.driver.wake.map { $0 <= now } ?? false && random.index(below: 4) > 0
        return SimulatedStep(delay: delay, event: wakes ? .wake : event(in: simulation))
    }

    private mutating func event(in simulation: PipelineSimulation) -> SimulatedEvent {
        if let event = tierFault(in: simulation) { return event }
        if let event = lookUpEvent(in: simulation) ?? claimEvent(in: simulation) { return event }
        while true {
            switch random.index(below: 1000) {
            case ..<260:
                // Packing wants workers that have nothing else to do.
                let isCalm = simulation.setup.packsRenditions && random.index(below: 3) > 0
                if isCalm, let event = ending(in: simulation) { return event }
                return submission(in: simulation)
            case ..<270: return batch(in: simulation)
            case ..<272: return .refuse
            case ..<276: return .forget(asset: random.index(below: SimulatedWorld.assetCount))
            case ..<302: if let event = fetchEvent(in: simulation) { return event }
            case ..<480: if let event = ending(in: simulation) { return event }
            case ..<560: if let number = someRequest(in: simulation) { return .cancel(request: number) }
            case ..<640: if let event = move(in: simulation) { return event }
            case ..<840:
                let drains = simulation.drainable
                if !drains.isEmpty { return .drain(request: one(of: drains)) }
            case ..<910: if let event = startCaching(in: simulation) { return event }
            case ..<945: if let event = stopCaching(in: simulation) { return event }
            case ..<955: if let window = someWindow(in: simulation) { return .stopCachingAll(window: window) }
            case ..<975: if let event = qualitySwitch(in: simulation) { return event }
            case ..<982:
                windowCount += 1
                return .openWindow(windowCount)
            case ..<988: if let window = someWindow(in: simulation) { return .closeWindow(window) }
            case ..<995: return .setBudget(one(of: [1 << 17, 1 << 19, 2 << 20, 16 << 20]))
            case ..<998: return .setMemoryPressure(somePressure())
            case ..<999: return .cancelAll
            default: if random.index(below: 4) == 0 { return .close(isGraceful: random.index(below: 2) == 0) }
            }
        }
    }

    // MARK: Requests

    private mutating func submission(in simulation: PipelineSimulation) -> SimulatedEvent {
        requestCount += 1
        var picture = somePicture()
        if random.index(below: 6) == 0, let packed = simulation.driver.starts.last(where: \.isPacking) {
            picture = SimulatedWorld.picture(of: packed.key)
        }
        let mode: DeliveryMode = one(of: [.opportunistic, .opportunistic, .highQuality, .fast])
        picture.isFast = mode == .fast
        return .submit(
            SimulatedRequest(
                number: requestCount, picture: picture, mode: mode, priority: somePriority(), urgency: someUrgency(),
                // Of one request in eight; of some it has passed before they are made.
                deadlineMicroseconds: random.index(below: 8) == 0 ? random.index(below: 80_000) - 2000 : nil,
                isNetworkAccessAllowed: random.index(below: 3) > 0,
                // Of a file there are no degraded versions.
                isEncoded: mode != .opportunistic && random.index(below: 4) == 0,
                allowsSecondDegraded: random.index(below: 3) == 0, asksCacheFirst: random.index(below: 2) == 0,
                isCancelledBefore: random.index(below: 40) == 0))
    }

    private mutating func move(in simulation: PipelineSimulation) -> SimulatedEvent? {
        someRequest(in: simulation).map { .move(request: $0, priority: somePriority(), urgency: someUrgency()) }
    }

    /// Mostly one that is open; now and then one that is over or was never made.
    private mutating func someRequest(in simulation: PipelineSimulation) -> Int? {
        if random.index(below: 8) == 0 { return random.index(below: requestCount + 2) }
        let open = simulation.ledger.open
        return open.isEmpty ? nil : simulation.ledger.entries[one(of: open)].number
    }

    private mutating func batch(in simulation: PipelineSimulation) -> SimulatedEvent {
        .batch(
            (0..<2 + random.index(below: 5)).compactMap { _ in
                switch random.index(below: 12) {
                case ..<5: submission(in: simulation)
                case ..<7: someRequest(in: simulation).map { .cancel(request: $0) }
                case 7: move(in: simulation)
                case ..<10: startCaching(in: simulation)
                case 10: stopCaching(in: simulation)
                default: qualitySwitch(in: simulation)
                }
            })
    }

    // MARK: Windows

    private mutating func startCaching(in simulation: PipelineSimulation) -> SimulatedEvent? {
        guard let window = someWindow(in: simulation) else { return nil }
        let entries = (0..<1 + random.index(below: 5)).map { index in
            SimulatedWindowEntry(picture: someWindowPicture(), urgency: index == 3 ? .nan : Double(index))
        }
        return .startCaching(window: window, entries)
    }

    private mutating func stopCaching(in simulation: PipelineSimulation) -> SimulatedEvent? {
        guard let window = someWindow(in: simulation) else { return nil }
        return .stopCaching(window: window, (0..<1 + random.index(below: 8)).map { _ in someWindowPicture() })
    }

    private mutating func qualitySwitch(in simulation: PipelineSimulation) -> SimulatedEvent? {
        someWindow(in: simulation).map { .switchQuality(window: $0, allows: random.index(below: 2) == 0) }
    }

    private mutating func someWindow(in simulation: PipelineSimulation) -> Int? {
        let windows = simulation.windows
        return windows.isEmpty ? nil : one(of: windows).number
    }

    // MARK: Renders

    /// Has a job end in some way: those told to stop mostly do, some are over before they notice.
    private mutating func ending(in simulation: PipelineSimulation) -> SimulatedEvent? {
        let running = simulation.driver.runningJobs
        let abandoned = simulation.driver.abandoned
        if !abandoned.isEmpty, running.isEmpty || random.index(below: 3) == 0 {
            return .finishAbandoned(random.index(below: abandoned.count))
        }
        guard !running.isEmpty else { return nil }
        let job = one(of: running)
        let luck = random.index(below: 100)
        let ending: SimulatedEnding =
            if random.index(below: 100) < (job.token.isCancelled ? 70 : 2) {
                .stop
            } else if SimulatedWorld.isDamaged(job.key), job.key.kind == .high {
                .truncation
            } else {
                luck < 12 ? .failure : .image
            }
        return .finish(worker: job.worker, ending: ending)
    }

    /// Has bytes come, or a fetch end in some way, likewise.
    private mutating func fetchEvent(in simulation: PipelineSimulation) -> SimulatedEvent? {
        let fetching = simulation.driver.fetching
        guard !fetching.isEmpty else { return nil }
        let fetch = one(of: fetching)
        let asset = SimulatedWorld.asset(of: fetch.subject)
        guard random.index(below: 3) == 0 else { return .progressFetch(asset: asset, fraction: random.unit()) }
        if fetch.token.isCancelled, random.index(below: 100) < 70 { return .finishFetch(asset: asset, ending: .stop) }
        return .finishFetch(asset: asset, ending: random.index(below: 5) == 0 ? .failure : .bytes)
    }

    // MARK: Tiers below memory

    /// Has something go wrong with a tier, or has it work again.
    private mutating func tierFault(in simulation: PipelineSimulation) -> SimulatedEvent? {
        let tiers = simulation.setup.tiers
        guard allowsSharedTier, !tiers.isEmpty, faultRandom.index(below: 30) == 0 else { return nil }
        let tier = tiers[faultRandom.index(below: tiers.count)]
        guard simulation.tierFaults[tier] == nil else { return .failTier(tier, nil) }
        let faults = SimulatedTierFault.faults(of: tier)
        return .failTier(tier, faults[faultRandom.index(below: faults.count)])
    }

    /// Whether a tier that could answer now does not, because of a fault.
    private mutating func isSilent(_ tier: StorageTier, in simulation: PipelineSimulation) -> Bool {
        switch simulation.tierFaults[tier] {
        case .hung: true
        case .slow: faultRandom.index(below: 8) > 0
        case .full, .gone, .laterVersion, .damaged, .flushed, nil: false
        }
    }

    /// Has a look-up end, sooner or later. Some tiers never answer in time.
    private mutating func lookUpEvent(in simulation: PipelineSimulation) -> SimulatedEvent? {
        let lookingUp = simulation.driver.lookingUp
        guard !lookingUp.isEmpty, tierRandom.index(below: 40) < (simulation.hasSlowTiers ? 1 : 8) else { return nil }
        let luck = tierRandom.index(below: 10)
        let lookUp = lookingUp[tierRandom.index(below: lookingUp.count)]
        if isSilent(lookUp.tier, in: simulation) { return nil }
        let asset = SimulatedWorld.asset(of: lookUp.key.subject)
        if lookUp.tier == .shared, sharedRandom.index(below: 8) == 0 {
            return .finishLookUp(asset: asset, ending: .unavailable)
        }
        return .finishLookUp(asset: asset, ending: luck < 7 ? .answer : luck < 9 ? .missing : .refusal)
    }

    /// Has a claim end, sooner or later, also some that nobody waits for any more.
    private mutating func claimEvent(in simulation: PipelineSimulation) -> SimulatedEvent? {
        let claiming = simulation.driver.claiming
        guard !claiming.isEmpty, sharedRandom.index(below: 60) < (simulation.hasSlowTiers ? 1 : 8),
            !isSilent(.shared, in: simulation)
        else { return nil }
        let asset = SimulatedWorld.asset(of: claiming[sharedRandom.index(below: claiming.count)].key.subject)
        let luck = sharedRandom.index(below: 10)
        return .finishClaim(
            asset: asset, ending: luck < 3 ? .found : luck < 6 ? .won : luck < 7 ? .unavailable : .refusal)
    }

    // MARK: Choices

    private mutating func one<Element>(of choices: [Element]) -> Element {
        choices[random.index(below: choices.count)]
    }

    private mutating func somePicture() -> SimulatedPicture {
        SimulatedPicture(
            asset: random.index(below: SimulatedWorld.assetCount), side: one(of: SimulatedWorld.sides),
            isCropped: random.index(below: 8) == 0, isFitted: random.index(below: 4) == 0)
    }

    private mutating func someWindowPicture() -> SimulatedPicture {
        var picture = somePicture()
        picture.isFast = random.index(below: 4) == 0
        return picture
    }

    private mutating func somePriority() -> RequestPriority {
        let number = random.index(below: 20)
        return number < 12 ? .userInitiated : number < 17 ? .prefetch : .background
    }

    /// Half the time there is none.
    private mutating func somePressure() -> MemoryPressure {
        random.index(below: 2) == 0 ? .none : one(of: MemoryPressure.allCases)
    }

    private mutating func someUrgency() -> Double {
        let number = random.index(below: 40)
        return number == 0 ? .nan : number == 1 ? .infinity : Double(number / 8)
    }
}
