import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelPipeline
import ThumbwheelRendering

/// Owns a pipeline value as `ImagePipeline` does, but by hand and on a virtual clock: jobs run until they are told how
/// they end, outboxes wait until they are emptied, and the invariants are checked after every event.
package struct PipelineDriver {
    package private(set) var state: PipelineState
    /// Knows whether an event is under way.
    package let host = HostWatch()
    package var now = MonotonicTime.zero
    /// What runs, by worker.
    package private(set) var running: [RenderAssignment?]
    /// What the pipeline has abandoned and what still runs, in the order in which it was abandoned.
    package private(set) var abandoned: [RenderAssignment] = []
    /// How many renders have been abandoned.
    package private(set) var abandonedCount = 0
    /// Since when, by worker.
    package private(set) var startTimes: [MonotonicTime]
    /// Every start and every stop there was, in order.
    package private(set) var starts: [RenderAssignment] = []
    package private(set) var stops: [RenderAssignment] = []
    /// The fetches that run, in the order of their starts.
    package private(set) var fetching: [FetchAssignment] = []
    /// Every fetch there was, in order.
    package private(set) var fetches: [FetchAssignment] = []
    /// The look-ups that run, in the order of their starts.
    package private(set) var lookingUp: [LookUpAssignment] = []
    /// The renditions that the tiers below memory have got from the pipeline and not lost.
    package private(set) var kept: [StorageTier: Set<RenditionKey>] = [:]
    /// The tiers that take no renditions at the moment.
    private var fullTiers: Set<StorageTier> = []
    /// The claims that wait for an answer, in the order in which they were made.
    package private(set) var claiming: [ClaimAssignment] = []
    /// The claims that were won and have not been ended.
    package private(set) var heldClaims: Set<ClaimID> = []
    /// How many claims have ended with their renditions, and how many without.
    package private(set) var endedClaimCounts = (kept: 0, given: 0)
    /// What fetches have brought and the pipeline has not let go of.
    package private(set) var fetchedByteCount = 0
    /// The requests whose outboxes somebody was asked to empty and has not yet found empty.
    package private(set) var drains: [ImageRequestID] = []
    /// Of those among them of which nothing else is left: their terminal results.
    private var terminalResults: [ImageRequestID: PipelineResult] = [:]
    /// The receivers whose outboxes are being drained.
    private var drainers: [ImageRequestID: ResultReceiver] = [:]
    /// When the pipeline wants to be told what time it is.
    package private(set) var wake: MonotonicTime?
    /// Whether the pipeline has said that it is closed and done.
    package private(set) var isIdle = false
    /// Whether the pipeline has dismissed its workers: no job will start any more.
    package private(set) var areWorkersDismissed = false
    /// What the pipeline asked for that cannot be, and what it broke of its own rules: empty unless it is broken.
    package private(set) var violations: [String] = []
    private let trapsWhenBroken: Bool
    /// The number of events between two checks of the pipeline's own invariants.
    private let invariantInterval: Int
    private var eventCount = 0
    private var isInBatch = false
    /// A digest of all actions: the same history gives the same.
    package private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    private var ordinals: [ImageRequestID: Int] = [:]

    /// - Parameters:
    ///   - trapsWhenBroken: whether a violation ends the process; else whoever drives looks at `violations`.
    ///   - invariantInterval: the number of events between two checks of the pipeline's own invariants. The checks take
    ///     most of the time, so that a wide range of histories is played faster with fewer of them.
    package init(
        configuration: PipelineState.Configuration, trapsWhenBroken: Bool = true, invariantInterval: Int = 1
    ) {
        self.invariantInterval = invariantInterval
        state = PipelineState(configuration: configuration)
        self.trapsWhenBroken = trapsWhenBroken
        running = Array(repeating: nil, count: configuration.workerCount)
        startTimes = Array(repeating: .zero, count: configuration.workerCount)
    }

    /// Bytes of the images that requests have been given, or may have, and nobody has taken yet.
    package var byteCountOnTheWay: Int {
        drains.reduce(0) { sum, id in
            sum + (terminalResults[id].map { $0.image?.facts.byteCount ?? 0 } ?? SimulatedWorld.largestOutputByteCount)
        }
    }

    /// Bytes of the cached images that running jobs read.
    package var byteCountOfInputs: Int { runningJobs.reduce(0) { $0 + ($1.input?.shared.facts.byteCount ?? 0) } }

    /// Bytes that are reserved for renditions that are looked up.
    package var lookingUpByteCount: Int {
        lookingUp.reduce(0) { $0 + (state.hasTimedOut($1.id) ? 0 : SimulatedWorld.outputByteCount(for: $1.key)) }
    }

    package var runningJobs: [RenderAssignment] { running.compactMap(\.self) }

    /// Applies one event and carries out what follows from it.
    @discardableResult
    package mutating func apply<Result>(_ event: (inout PipelineState, MonotonicTime) -> Result) -> Result {
        let result = host.locked { event(&state, now) }
        // A batch is one event: it is over when its last part is.
        if !isInBatch { carryOutActions() }
        return result
    }

    package mutating func beginBatch() {
        isInBatch = true
        state.beginBatch()
    }

    package mutating func endBatch() {
        isInBatch = false
        host.locked { state.endBatch(at: now) }
        carryOutActions()
    }

    /// Tells the pipeline what time it is, as its timer does.
    package mutating func fire() {
        wake = nil
        apply { $0.timePassed(at: $1) }
    }

    /// Lets time pass, waking the pipeline when it asked for that.
    package mutating func advance(byMilliseconds milliseconds: Double) {
        let end = now.advanced(byMilliseconds: milliseconds)
        while let wake, wake <= end {
            now = wake
            fire()
        }
        now = end
    }

    /// Has the job of a worker end.
    package mutating func finish(worker: Int, with outcome: consuming RenderOutcome, peakByteCount: Int? = nil) {
        guard let assignment = running[worker] else { preconditionFailure("worker \(worker) has nothing to finish") }
        running[worker] = nil
        var made: RenderOutcome? = consume outcome
        apply { state, now in
            guard let outcome = made.take() else { return }
            state.finish(assignment.job, with: consume outcome, peakByteCount: peakByteCount, at: now)
        }
    }

    /// Has an abandoned render end.
    package mutating func finishAbandoned(_ index: Int) {
        let assignment = abandoned.remove(at: index)
        let isKnown = apply { $0.endAbandoned(assignment.token, at: $1) }
        if !isKnown { violations.append("an abandoned render is not known") }
    }

    /// Has a running fetch end.
    package mutating func finishFetch(_ assignment: FetchAssignment, with outcome: FetchOutcome) {
        fetching.removeAll { $0.token === assignment.token }
        if case .bytes(let bytes) = outcome { fetchedByteCount += bytes.byteCount }
        apply { $0.finishFetch(assignment.id, with: outcome, at: $1) }
    }

    /// Has a running look-up end.
    package mutating func finishLookUp(_ assignment: LookUpAssignment, with outcome: LookUpOutcome) {
        lookingUp.removeAll { $0.id == assignment.id }
        apply { $0.finishLookUp(assignment.id, with: outcome, at: $1) }
    }

    /// Has a tier drop what it is told of, or take it again.
    package mutating func setTakesNothing(_ takesNothing: Bool, _ tier: StorageTier) {
        if takesNothing { fullTiers.insert(tier) } else { fullTiers.remove(tier) }
    }

    /// Has a tier lose renditions.
    ///
    /// - Returns: how many it has lost.
    package mutating func loseValues(of tier: StorageTier, where isLost: (RenditionKey) -> Bool) -> Int {
        let lost = kept[tier, default: []].filter(isLost)
        kept[tier]?.subtract(lost)
        return lost.count
    }

    /// Has a claim be answered.
    package mutating func finishClaim(_ assignment: ClaimAssignment, with outcome: ClaimOutcome) {
        claiming.removeAll { $0.id == assignment.id }
        if case .won = outcome { heldClaims.insert(assignment.id) }
        apply { $0.finishClaim(assignment.id, with: outcome, at: $1) }
    }

    /// Takes what is in a request's outbox; whoever finds it empty, or over, is done with it.
    package mutating func drain(_ id: ImageRequestID) -> [PipelineResult] {
        let results =
            terminalResults.removeValue(forKey: id).map { [$0] } ?? host.locked { state.takeResults(of: id) }
        if results.isEmpty || results.last!.isTerminal {
            drains.removeAll { $0 == id }
            drainers[id] = nil
        }
        mix(UInt64(results.count))
        for result in results { mix(result) }
        return results
    }

    private mutating func carryOutActions() {
        for action in host.locked({ state.takeActions() }) { carryOut(action) }
        if host.lossCount > 0 { violations.append("an object of the host's has gone inside the lock") }
        eventCount += 1
        if eventCount % invariantInterval == 0, let broken = state.brokenInvariant {
            violations.append(broken.description)
        }
        if trapsWhenBroken, let violation = violations.first { preconditionFailure(violation) }
    }

    private mutating func mix(_ result: PipelineResult) {
        switch result {
        case .progress(let fraction):
            mix(13)
            mix(fraction.bitPattern)
        case .degraded(let shared, let info), .final(let shared, let info):
            mix(result.isTerminal ? 15 : 14, shared.facts.pixelSize.width, shared.facts.pixelSize.height)
            mix(shared.facts.byteCount, info.isPartial ? 1 : 0)
            mix(info.renderNumber ?? 0)
            mix((info.queueMilliseconds + info.renderMilliseconds + info.networkMilliseconds).bitPattern)
        case .failed(let error, _):
            mix(16)
            for byte in error.name.utf8 { mix(UInt64(byte)) }
        case .cancelled: mix(17)
        }
    }

    /// Numbers the requests in the order in which their first results come. The digest has these numbers, and not those
    /// of the identifiers, so that it does not depend on how the pipeline numbers requests.
    private mutating func ordinal(of id: ImageRequestID) -> Int {
        if let ordinal = ordinals[id] { return ordinal }
        ordinals[id] = ordinals.count
        return ordinals.count - 1
    }

    private mutating func mix(_ values: Int...) {
        for value in values { mix(UInt64(bitPattern: Int64(value))) }
    }

    private mutating func mix(_ value: UInt64) {
        digest = (digest ^ value) &* 0x0000_0100_0000_01B3
    }
}

extension PipelineDriver: PipelineInterpreter {
    package mutating func start(_ assignment: RenderAssignment) {
        if areWorkersDismissed { violations.append("a job for a worker that is gone") }
        if running[assignment.worker] != nil { violations.append("worker \(assignment.worker) runs two jobs") }
        if !Set(runningJobs.flatMap(\.keys)).isDisjoint(with: assignment.keys) {
            violations.append("a rendition made twice")
        }
        if assignment.key.kind != .preview, assignment.work.remoteByteCount != nil, assignment.bytes == nil,
            assignment.input == nil
        {
            violations.append("a render without its bytes")
        }
        running[assignment.worker] = assignment
        startTimes[assignment.worker] = now
        starts.append(assignment.withoutWork)
        mix(1, assignment.worker, assignment.key.kind.rawValue, assignment.key.options.targetSize.width)
        mix(assignment.key.subject.asset.low)
        for key in assignment.companions { mix(10, key.options.targetSize.width) }
    }

    package mutating func stop(_ token: CancellationToken) {
        if let stopped = runningJobs.first(where: { $0.token === token }) {
            if token.isCancelled { violations.append("a job stopped twice") }
            stops.append(stopped.withoutWork)
            mix(2, stopped.worker)
        } else {
            violations.append("a job stopped that does not run")
        }
        token.cancel()
    }

    package mutating func replaceThread(ofWorker worker: Int) {
        mix(24, worker)
        guard let assignment = running[worker], assignment.token.isCancelled, assignment.input == nil else {
            violations.append("worker \(worker) gets another thread without need")
            return
        }
        running[worker] = nil
        abandoned.append(assignment)
        abandonedCount += 1
    }

    package mutating func drain(_ id: ImageRequestID, to receiver: ResultReceiver) {
        if drains.contains(id) { violations.append("two drainers of one outbox") }
        drains.append(id)
        drainers[id] = receiver
        mix(3, ordinal(of: id))
    }

    package mutating func deliver(_ deliveries: [PipelineDelivery]) {
        for delivery in deliveries {
            if drains.contains(delivery.id) { violations.append("a result that overtakes others") }
            if !delivery.result.isTerminal { violations.append("a last result that is none") }
            drains.append(delivery.id)
            terminalResults[delivery.id] = delivery.result
            mix(3, ordinal(of: delivery.id))
        }
    }

    package mutating func wake(at time: MonotonicTime) {
        if let wake, wake <= time { violations.append("a wake that puts off an earlier one") }
        wake = time
        mix(6, Int(time.nanoseconds))
    }

    package mutating func fetch(_ assignment: FetchAssignment) {
        if fetching.contains(where: { $0.subject == assignment.subject && $0.extent == assignment.extent }) {
            violations.append("fetched twice")
        }
        fetching.append(assignment)
        fetches.append(assignment.withoutWork)
        mix(9)
        mix(assignment.subject.asset.low)
    }

    package mutating func stopFetch(_ token: CancellationToken) {
        if token.isCancelled { violations.append("a fetch stopped twice") }
        if !fetching.contains(where: { $0.token === token }) { violations.append("a fetch stopped that is over") }
        token.cancel()
        mix(7)
    }

    package mutating func lookUp(_ assignment: LookUpAssignment) {
        if lookingUp.contains(where: { $0.id == assignment.id }) { violations.append("looked up twice at once") }
        if runningJobs.contains(where: { $0.keys.contains(assignment.key) }) {
            violations.append("looked up and made at once")
        }
        lookingUp.append(assignment)
        mix(18, assignment.tier.rawValue, assignment.key.options.targetSize.width)
        mix(assignment.key.subject.asset.low)
    }

    package mutating func keep(_ assignment: KeepAssignment) {
        if case .success(let shared) = assignment.result {
            if shared.facts.isPartial { violations.append("a partial image is kept") }
            for tier in assignment.tiers where !fullTiers.contains(tier) {
                kept[tier, default: []].insert(assignment.key)
            }
            if let tier = shared.facts.storageTier, assignment.tiers.contains(where: { $0.rawValue >= tier.rawValue }) {
                violations.append("kept where it was found")
            }
        }
        if assignment.tiers.isEmpty { violations.append("kept nowhere") }
        if let claim = assignment.claim {
            if heldClaims.remove(claim) == nil { violations.append("a claim that was not won ends with a rendition") }
            endedClaimCounts.kept += 1
        }
        if assignment.tiers != [.disk] { mix(22, assignment.tiers.count, assignment.claim == nil ? 0 : 1) }
        mix(19, assignment.key.kind.rawValue, assignment.key.options.targetSize.width)
        mix(assignment.key.subject.asset.low)
    }

    package mutating func claim(_ assignment: ClaimAssignment) {
        if runningJobs.contains(where: { $0.keys.contains(assignment.key) }) {
            violations.append("claimed and made at once")
        }
        claiming.append(assignment)
        mix(20, assignment.key.kind.rawValue, assignment.key.options.targetSize.width)
        mix(assignment.key.subject.asset.low)
    }

    package mutating func stopClaim(_ token: CancellationToken) {
        if token.isCancelled { violations.append("a claim stopped twice") }
        if !claiming.contains(where: { $0.token === token }) { violations.append("a claim stopped that is over") }
        token.cancel()
        mix(21)
    }

    package mutating func endClaim(_ id: ClaimID) {
        if heldClaims.remove(id) == nil { violations.append("a claim ended that was not won") }
        endedClaimCounts.given += 1
        mix(23)
    }

    package mutating func release(_ value: PipelineAction.ReleasedValue) {
        switch value {
        case .image(let shared): mix(4, shared.facts.byteCount)
        case .bytes(let bytes):
            fetchedByteCount -= bytes.byteCount
            mix(8, bytes.byteCount)
        case .work: mix(11)
        }
    }

    /// Changes nothing that anybody could see.
    package mutating func returnFreePages() {}

    package mutating func dismissWorkers() {
        mix(12)
        if areWorkersDismissed || !runningJobs.isEmpty || !abandoned.isEmpty {
            violations.append("workers dismissed twice, or with a job running")
        }
        areWorkersDismissed = true
    }

    package mutating func becomeIdle() {
        if isIdle || !areWorkersDismissed || !runningJobs.isEmpty || !abandoned.isEmpty || !fetching.isEmpty
            || lookingUp.contains(where: { !state.hasTimedOut($0.id) }) || !claiming.isEmpty || !heldClaims.isEmpty
        {
            violations.append("idle twice, or with a job running")
        }
        isIdle = true
        mix(5)
    }
}

// Records for later checks must not keep objects of the host alive.

extension RenderAssignment {
    fileprivate var withoutWork: RenderAssignment {
        var assignment = self
        assignment.work = .nothing
        return assignment
    }
}

extension FetchAssignment {
    fileprivate var withoutWork: FetchAssignment {
        var assignment = self
        assignment.work = .nothing
        return assignment
    }
}
