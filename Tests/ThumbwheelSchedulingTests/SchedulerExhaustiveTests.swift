import Testing
import ThumbwheelScheduling

/// Every history of a few events, on one worker and on two, decision for decision against the plain reference.
@Suite struct SchedulerExhaustiveTests {
    private enum Event: CaseIterable {
        case addVisible, addPrefetch, addSpeculative, addBackground, addUnstoppable, addUnstoppablePrefetch
        case start, preempt, stopFirst
        case finishOldest, requeueStopping, raiseLastQueued, lowerFirst, removeLastQueued
    }

    private struct Pair {
        var scheduler: Scheduler
        var reference: ReferenceScheduler
        var identifiers: [Int: JobID] = [:]
        var nameCount = 0

        init(workerCount: Int) {
            scheduler = Scheduler(workerCount: workerCount)
            reference = ReferenceScheduler(workerCount: workerCount)
        }
    }

    @Test("all sequences of six events decide as the rules say", arguments: 1...3)
    func allSequences(workerCount: Int) throws {
        let historyCount = try explore(Pair(workerCount: workerCount), depth: 6)
        #expect(historyCount > 10_000)
    }

    /// Every event that is possible now, and after it all that is possible then.
    private func explore(_ pair: Pair, depth: Int) throws -> Int {
        guard depth > 0 else { return 1 }
        var count = 0
        for event in Event.allCases {
            var next = pair
            guard apply(event, to: &next) else { continue }
            try compare(next)
            count += try explore(next, depth: depth - 1)
        }
        return count
    }

    private func compare(_ pair: Pair) throws {
        try pair.scheduler.checkInvariants()
        let reference = pair.reference
        let candidate = pair.reference.candidate().map { pair.identifiers[$0]! }
        let awaited = pair.reference.candidate { !$0.rank.isSpeculative }.map { pair.identifiers[$0]! }
        let preemption = pair.reference.preemption.map { pair.identifiers[$0]! }
        let preemptionForMemory = pair.reference.preemptionForMemory.map { pair.identifiers[$0]! }
        // One expectation, not ten: there are millions of them.
        var isSame = pair.scheduler.candidate == candidate && pair.scheduler.preemption == preemption
        isSame = isSame && pair.scheduler.candidate(includingSpeculative: false) == awaited
        isSame = isSame && pair.scheduler.preemptionForMemory == preemptionForMemory
        isSame = isSame && pair.scheduler.queuedCount == reference.names(in: .queued).count
        isSame = isSame && pair.scheduler.runningCount == reference.runningCount
        for job in reference.jobs {
            let identifier = pair.identifiers[job.name]!
            isSame = isSame && pair.scheduler.rank(of: identifier) == job.rank
            switch (pair.scheduler.state(of: identifier), job.state) {
            case (.queued, .queued), (.running, .running), (.stopping, .stopping): break
            default: isSame = false
            }
        }
        if !isSame { Issue.record("scheduler and reference disagree after \(reference.jobs)") }
    }

    /// - Returns: whether the event is possible at all.
    private func apply(_ event: Event, to pair: inout Pair) -> Bool {
        switch event {
        case .addVisible: add(.userInitiated, to: &pair)
        case .addPrefetch: add(.prefetch, to: &pair)
        case .addSpeculative: add(.prefetch, isSpeculative: true, to: &pair)
        case .addBackground: add(.background, to: &pair)
        case .addUnstoppable: add(.userInitiated, isStoppable: false, to: &pair)
        case .addUnstoppablePrefetch: add(.prefetch, isSpeculative: true, isStoppable: false, to: &pair)
        case .start:
            guard let name = pair.reference.candidate() else { return false }
            _ = pair.scheduler.start(pair.identifiers[name]!)
            pair.reference.start(name)
        case .preempt:
            guard let name = pair.reference.preemption else { return false }
            stop(name, &pair)
        case .stopFirst:
            guard let name = pair.reference.names(in: .running).first else { return false }
            stop(name, &pair)
        case .finishOldest:
            guard let job = pair.reference.jobs.first(where: { $0.state != .queued }) else { return false }
            pair.scheduler.finish(pair.identifiers[job.name]!)
            pair.reference.remove(job.name)
        case .requeueStopping:
            guard let name = pair.reference.names(in: .stopping).first else { return false }
            pair.scheduler.requeue(pair.identifiers[name]!)
            pair.reference.change(name) { $0.state = .queued }
        case .raiseLastQueued:
            guard let name = pair.reference.names(in: .queued).last else { return false }
            setPriority(.userInitiated, of: name, &pair)
        case .lowerFirst:
            guard let name = pair.reference.jobs.first?.name else { return false }
            setPriority(.background, of: name, &pair)
        case .removeLastQueued:
            guard let name = pair.reference.names(in: .queued).last else { return false }
            pair.scheduler.removeQueued(pair.identifiers[name]!)
            pair.reference.remove(name)
        }
        return true
    }

    private func add(
        _ priority: RequestPriority, isSpeculative: Bool = false, isStoppable: Bool = true, to pair: inout Pair
    ) {
        pair.nameCount += 1
        // Newest first, as the manager has it by default.
        let rank = JobRank(
            priority: priority, stage: .final, isSpeculative: isSpeculative, isStoppable: isStoppable, urgency: 0,
            sequence: Int64(-pair.nameCount))
        pair.identifiers[pair.nameCount] = pair.scheduler.add(rank: rank)
        pair.reference.jobs.append(ReferenceScheduler.Job(name: pair.nameCount, rank: rank))
    }

    private func stop(_ name: Int, _ pair: inout Pair) {
        pair.scheduler.stop(pair.identifiers[name]!)
        pair.reference.change(name) { $0.state = .stopping }
    }

    private func setPriority(_ priority: RequestPriority, of name: Int, _ pair: inout Pair) {
        var rank = pair.scheduler.rank(of: pair.identifiers[name]!)
        rank.priority = priority
        // Whoever raises it waits for it.
        if priority == .userInitiated { rank.isSpeculative = false }
        pair.scheduler.setRank(rank, of: pair.identifiers[name]!)
        pair.reference.change(name) { $0.rank = rank }
    }
}
