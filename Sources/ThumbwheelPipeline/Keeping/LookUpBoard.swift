import ThumbwheelCore
import ThumbwheelScheduling

/// The look-ups of renditions in storage tiers (a store on disk, a store that servers share): those that wait for their
/// turn, and those that run.
///
/// Each tier has a scheduler of its own, of the same type as the scheduler of renders. Its "workers" are not threads:
/// their number is the number of look-ups that may run at once in the tier. The board knows render jobs only by their
/// identifiers.
struct LookUpBoard: Sendable {
    let tiers: [StorageTier]
    /// Whether every tier is asked, however slow it is.
    private let asksAlways: Bool
    private var schedulers: [Scheduler]
    private var lookUps: [LookUpID: LookUp] = [:]
    /// For each job that waits for a look-up, the look-up's identifier.
    private var byJob: [JobID: LookUpID] = [:]
    /// The mean duration of recent look-ups in each tier, in milliseconds.
    private var meanMilliseconds: [Double]
    /// The durations of the latest look-ups in each tier, in milliseconds.
    private var latestMilliseconds: [[Double]]
    /// For each tier, the number of running look-ups that have taken longer than its `timeoutMilliseconds`.
    private var timedOutCounts: [Int]
    /// The number of times that a job has found a tier, no matter which, too slow to be worth asking. A job does not
    /// ask such a tier, unless this number is a multiple of the tier's `probeInterval`. In that case the job asks, to
    /// find out whether the tier has recovered.
    private var slowCount = 0

    /// A duration that stands for "no time limit": about 136 years.
    static let endless = Duration.seconds(1 << 32)
    /// The weight of the latest look-up in the mean duration, which is a moving average.
    private static let weight = 1.0 / 8
    /// The number of latest look-ups whose durations are kept.
    private static let latestCount = 16

    /// - Parameter asksAlways: whether every tier is asked, however slow it is.
    init(tiers: [StorageTier], asksAlways: Bool = false) {
        (self.tiers, self.asksAlways) = (tiers, asksAlways)
        timedOutCounts = tiers.map { _ in 0 }
        schedulers = tiers.map { Scheduler(workerCount: $0.lookUpLimit) }
        meanMilliseconds = tiers.map { _ in 0 }
        latestMilliseconds = tiers.map { _ in [] }
    }

    // MARK: Finding out which look-ups there are

    var isEmpty: Bool { lookUps.isEmpty }

    /// Whether no look-up is left, apart from running ones that have taken longer than their tier's
    /// `timeoutMilliseconds`. A pipeline that is being closed waits for this.
    var haveAllTimedOut: Bool { lookUps.count == timedOutCounts.reduce(0, +) }

    func isLookingUp(_ job: JobID) -> Bool { byJob[job] != nil }

    /// Whether a running look-up has already taken longer than its tier's `timeoutMilliseconds`.
    func hasTimedOut(_ id: LookUpID) -> Bool { lookUps[id]?.hasTimedOut ?? false }

    /// Whether a tier hangs. A tier hangs if it runs as many look-ups as it may, and each of them has taken longer than
    /// the tier's `timeoutMilliseconds`. Such a tier is not asked.
    func isHanging(_ tier: StorageTier) -> Bool {
        tiers.firstIndex(of: tier).map { timedOutCounts[$0] == tier.lookUpLimit } ?? false
    }

    /// The jobs whose look-ups in a tier wait for their turn, sorted by slot number, so that the order is the same in
    /// every run.
    func waitingJobs(in tier: StorageTier) -> [JobID] {
        lookUps.values.filter { $0.id.tier == tier && $0.run == nil }.compactMap(\.job).sorted { $0.slot < $1.slot }
    }

    // MARK: Queuing the look-ups of jobs

    /// Queues a look-up for a job in the first tier that is worth asking.
    ///
    /// - Parameters:
    ///   - former: the tier that was asked last and did not have the rendition; nil if none has been asked.
    ///   - milliseconds: the predicted time of making the rendition; infinite if it needs a network.
    ///   - mayKeep: whether a tier keeps such renditions.
    /// - Returns: whether the job waits for a look-up now.
    mutating func begin(
        _ job: JobID, after former: StorageTier? = nil, rank: JobRank, instead milliseconds: Double,
        where mayKeep: (StorageTier) -> Bool = { _ in true }
    ) -> Bool {
        for (index, tier) in tiers.enumerated() where former.map({ $0.rawValue < tier.rawValue }) ?? true {
            guard !isHanging(tier), mayKeep(tier), isWorthAsking(index, instead: milliseconds) else { continue }
            let id = LookUpID(tier: tier, job: schedulers[index].add(rank: Self.stoppable(rank)))
            lookUps[id] = LookUp(id: id, job: job)
            byJob[job] = id
            return true
        }
        return false
    }

    private mutating func isWorthAsking(_ index: Int, instead milliseconds: Double) -> Bool {
        let mean = meanMilliseconds[index]
        guard !asksAlways, !tiers[index].isWorthAsking(meanMilliseconds: mean, predictedMilliseconds: milliseconds)
        else {
            return true
        }
        slowCount += 1
        return slowCount % tiers[index].probeInterval == 0
    }

    /// Whether a claim in a tier is worth its time. A claim asks the tier whether another server is making a rendition.
    ///
    /// The quickest of the latest look-ups tells how long a round trip takes. If the others took longer, this is mostly
    /// due to the load of this machine. The load delays a render as well, so sharing renders pays most then.
    ///
    /// - Parameter milliseconds: the predicted time in which this server could make the rendition itself.
    func isWorthClaiming(_ tier: StorageTier, instead milliseconds: Double) -> Bool {
        guard let index = tiers.firstIndex(of: tier) else { return false }
        // A slow first answer alone tells nothing, because it may include the opening of a connection.
        let latest = latestMilliseconds[index]
        let roundTrip = latest.count < 2 ? 0 : latest.min() ?? 0
        return asksAlways
            || tier.isWorthClaiming(roundTripMilliseconds: roundTrip, predictedMilliseconds: milliseconds)
    }

    /// Returns the rank (place in the order of work) with `isStoppable` set to true. For a render, the property tells
    /// whether its decoder can be stopped. A look-up needs no decoder, and a job can stop waiting for it at any time.
    private static func stoppable(_ rank: JobRank) -> JobRank {
        var rank = rank
        rank.isStoppable = true
        return rank
    }

    mutating func setRank(_ rank: JobRank, of job: JobID) {
        guard let id = byJob[job], let index = tiers.firstIndex(of: id.tier) else { return }
        schedulers[index].setRank(Self.stoppable(rank), of: id.job)
    }

    /// Lets a job stop waiting for its look-up. A queued look-up is removed. A running look-up goes on, and its answer
    /// is ignored.
    mutating func removeJob(_ job: JobID) {
        guard let id = byJob.removeValue(forKey: job) else { return }
        if lookUps[id]?.run == nil {
            remove(id) { $0.removeQueued(id.job) }
        } else {
            lookUps[id]?.job = nil
        }
    }

    private mutating func remove(_ id: LookUpID, from change: (inout Scheduler) -> Void) {
        lookUps[id] = nil
        if let index = tiers.firstIndex(of: id.tier) { change(&schedulers[index]) }
    }

    // MARK: Starting and ending look-ups

    /// The look-up to start next, and its job. Nil if no look-up waits, or if the tiers for which look-ups wait already
    /// run as many look-ups as they may.
    var candidate: (id: LookUpID, job: JobID)? {
        for (index, tier) in tiers.enumerated() {
            guard let scheduled = schedulers[index].candidate else { continue }
            let id = LookUpID(tier: tier, job: scheduled)
            if let job = lookUps[id]?.job { return (id, job) }
        }
        return nil
    }

    mutating func start(_ id: LookUpID, _ run: LookUp.Run) {
        guard let index = tiers.firstIndex(of: id.tier) else { return }
        _ = schedulers[index].start(id.job)
        lookUps[id]?.run = run
    }

    /// Notes that a look-up has taken longer than its tier's `timeoutMilliseconds`. The job of the look-up stops
    /// waiting for the answer, but the look-up goes on.
    ///
    /// - Parameter empty: a reservation of 0 bytes, which the look-up gets in place of its former one.
    /// - Returns: the job that waited, and the look-up's former reservation, which the caller has to release.
    mutating func markTimedOut(_ id: LookUpID, leaving empty: Reservation) -> (job: JobID?, reservation: Reservation?) {
        let reservation = lookUps[id]?.run?.reservation
        if let index = tiers.firstIndex(of: id.tier), lookUps[id]?.run?.alarm != nil { timedOutCounts[index] += 1 }
        lookUps[id]?.run?.alarm = nil
        lookUps[id]?.run?.reservation = empty
        guard let job = lookUps[id]?.job else { return (nil, reservation) }
        lookUps[id]?.job = nil
        byJob[job] = nil
        return (job, reservation)
    }

    /// Removes a look-up that its tier has answered.
    ///
    /// - Parameter isMeasured: whether the duration of the look-up is counted in the tier's mean duration.
    /// - Returns: the look-up as it was before; nil if it is unknown or did not run.
    mutating func end(_ id: LookUpID, isMeasured: Bool = true, at now: MonotonicTime) -> LookUp? {
        guard let lookUp = lookUps[id], let run = lookUp.run, let index = tiers.firstIndex(of: id.tier) else {
            return nil
        }
        remove(id) { $0.finish(id.job) }
        if lookUp.hasTimedOut { timedOutCounts[index] -= 1 }
        if let job = lookUp.job { byJob[job] = nil }
        guard isMeasured else { return lookUp }
        let milliseconds = now.milliseconds(since: run.start)
        // The mean starts at 0, so that a slow first answer alone does not make the tier count as too slow.
        meanMilliseconds[index] += (milliseconds - meanMilliseconds[index]) * Self.weight
        latestMilliseconds[index].append(milliseconds)
        if latestMilliseconds[index].count > Self.latestCount { latestMilliseconds[index].removeFirst() }
        return lookUp
    }

    /// Frees the storage of the board if no look-up is left and the storage is large.
    ///
    /// - Returns: the number of look-ups that the freed storage had room for; 0 if nothing was freed.
    mutating func shrink() -> Int {
        let count = schedulers.reduce(0) { $0 + $1.slotCount }
        guard lookUps.isEmpty, count > PipelineState.keptCapacity else { return 0 }
        (lookUps, byJob) = ([:], [:])
        for index in schedulers.indices { schedulers[index].shrink() }
        return count
    }
}

// MARK: Invariants

extension LookUpBoard {
    /// The bytes of the memory budget that are reserved for the renditions that running look-ups may find.
    var reservedByteCount: Int { lookUps.values.reduce(0) { $0 + ($1.run?.reservation.byteCount ?? 0) } }

    /// The number of running look-ups that have an alarm set.
    var alarmCount: Int { lookUps.values.count { $0.run?.alarm != nil } }

    func checkInvariants(rankOf rank: (JobID) -> JobRank) throws(BrokenInvariant) {
        for scheduler in schedulers { try scheduler.checkInvariants() }
        for (index, tier) in tiers.enumerated() {
            try BrokenInvariant.require(
                timedOutCounts[index] == lookUps.values.count { $0.id.tier == tier && $0.hasTimedOut },
                "hanging look-ups miscounted")
        }
        for (job, id) in byJob {
            try BrokenInvariant.require(lookUps[id]?.job == job, "a job waits for a look-up that does not know it")
        }
        for lookUp in lookUps.values {
            guard let index = tiers.firstIndex(of: lookUp.id.tier) else {
                throw BrokenInvariant("a look-up in a tier that there is not")
            }
            let isQueued = schedulers[index].state(of: lookUp.id.job) == .queued
            try BrokenInvariant.require(isQueued == (lookUp.run == nil), "a look-up waits and runs")
            guard let job = lookUp.job else {
                try BrokenInvariant.require(lookUp.run != nil, "a look-up waits for nobody")
                continue
            }
            try BrokenInvariant.require(byJob[job] == lookUp.id, "a look-up for a job that does not wait for it")
            try BrokenInvariant.require(
                schedulers[index].rank(of: lookUp.id.job) == Self.stoppable(rank(job)), "a look-up of outdated rank")
        }
    }
}
