import Testing
import ThumbwheelScheduling

@Suite struct SchedulerTests {
    @Test("jobs start by priority, then stage, then urgency, then sequence")
    func order() throws {
        // Given
        var scheduler = Scheduler(workerCount: 1)
        let ranks = [
            rank(.background), rank(.prefetch, .final, 2), rank(.userInitiated, .final, 1, 5),
            rank(.prefetch, .degraded),
            rank(.userInitiated, .final, 1, -5), rank(.userInitiated, .degraded, 9), rank(.userInitiated, .final, 0, 9),
        ]
        let jobs = ranks.map { scheduler.add(rank: $0) }
        // When
        var started: [Int] = []
        while let job = scheduler.candidate {
            started.append(jobs.firstIndex(of: job)!)
            #expect(scheduler.start(job) == 0)
            #expect(scheduler.candidate == nil)
            scheduler.finish(job)
            try scheduler.checkInvariants()
        }
        // Then
        #expect(started == [5, 6, 4, 2, 3, 1, 0])
    }

    @Test("a parked job is in no queue, keeps its rank, and takes its place when it is unparked")
    func parking() throws {
        var scheduler = Scheduler(workerCount: 1)
        let removed = scheduler.add(rank: rank(.prefetch))
        let parked = scheduler.add(rank: rank(.prefetch, .final, 1))
        let queued = scheduler.add(rank: rank(.background))
        for job in [removed, parked] { scheduler.park(job) }
        try scheduler.checkInvariants()
        #expect(scheduler.queuedCount == 1)
        #expect(scheduler.candidate == queued)
        scheduler.setRank(rank(.userInitiated), of: parked)
        scheduler.removeQueued(removed)
        scheduler.unpark(parked)
        try scheduler.checkInvariants()
        #expect(scheduler.candidate == parked)
        // Neither does anything to a job that is not what it changes.
        _ = scheduler.start(parked)
        scheduler.park(parked)
        scheduler.unpark(queued)
        try scheduler.checkInvariants()
        #expect(scheduler.state(of: parked) == .running(worker: 0))
    }

    @Test("a visible job takes the worker of the lowest priority, and among equals that with the least progress")
    func victims() {
        // Given
        var scheduler = Scheduler(workerCount: 4)
        let prefetch = start(.prefetch, &scheduler)
        let background = start(.background, &scheduler)
        let laterBackground = start(.background, &scheduler)
        let visible = start(.userInitiated, &scheduler)
        // When
        var victims: [JobID] = []
        for _ in 0..<4 {
            _ = scheduler.add(rank: rank(.userInitiated))
            guard let victim = scheduler.preemption else { continue }
            victims.append(victim)
            scheduler.stop(victim)
        }
        // Then
        #expect(victims == [laterBackground, background, prefetch])
        #expect(scheduler.state(of: visible) == .running(worker: 3))
    }

    @Test("no more workers are told to stop than visible jobs wait")
    func stoppingWorkersCount() throws {
        var scheduler = Scheduler(workerCount: 3)
        for _ in 0..<3 { _ = start(.prefetch, &scheduler) }
        #expect(scheduler.preemption == nil)
        let visible = scheduler.add(rank: rank(.userInitiated))
        let victim = try #require(scheduler.preemption)
        scheduler.stop(victim)
        #expect(scheduler.preemption == nil)
        // Whoever stops is queued again behind the visible job and keeps its rank.
        scheduler.requeue(victim)
        #expect(scheduler.state(of: victim) == .queued)
        #expect(scheduler.candidate == visible)
        #expect(scheduler.preemption == nil)
    }

    @Test("prefetches do not preempt, neither background work nor one another")
    func onlyVisibleWorkPreempts() {
        var scheduler = Scheduler(workerCount: 1)
        _ = start(.background, &scheduler)
        _ = scheduler.add(rank: rank(.prefetch, .degraded, -9))
        #expect(scheduler.preemption == nil)
        #expect(scheduler.preemptionForMemory == nil)
    }

    @Test("where it is memory that lacks, one prefetch makes way at a time")
    func preemptionForMemory() throws {
        var scheduler = Scheduler(workerCount: 3)
        let first = start(.prefetch, &scheduler)
        let second = start(.prefetch, &scheduler)
        _ = scheduler.add(rank: rank(.userInitiated))
        #expect(scheduler.preemption == nil, "a worker is idle")
        #expect(scheduler.preemptionForMemory == second)
        scheduler.stop(second)
        #expect(scheduler.preemptionForMemory == nil)
        scheduler.requeue(second)
        #expect(scheduler.preemptionForMemory == first)
    }

    @Test("a running job can be raised, and is safe then")
    func raisingARunningJob() {
        var scheduler = Scheduler(workerCount: 1)
        let job = start(.prefetch, &scheduler)
        scheduler.setRank(rank(.userInitiated), of: job)
        _ = scheduler.add(rank: rank(.userInitiated))
        #expect(scheduler.preemption == nil)
        scheduler.setRank(rank(.background), of: job)
        #expect(scheduler.preemption == job)
    }

    @Test("a job that was raised and lowered again goes by its last rank alone, and leaves nothing in any queue")
    func raisedAndLowered() throws {
        for (first, second) in [(0, 1), (0, 2), (1, 2), (2, 0), (2, 1), (1, 1)] {
            var scheduler = Scheduler(workerCount: 1)
            let others = RequestPriority.allCases.map { scheduler.add(rank: rank($0, .final, 5)) }
            let job = scheduler.add(rank: rank(.background, .final, 9))
            for step in [first, second] {
                scheduler.setRank(rank(RequestPriority.allCases[step], .final, 1), of: job)
                try scheduler.checkInvariants()
            }
            #expect(scheduler.queuedCount == 4)
            var started: [JobID] = []
            while let next = scheduler.candidate {
                started.append(next)
                _ = scheduler.start(next)
                scheduler.finish(next)
                try scheduler.checkInvariants()
            }
            var expected = others
            expected.insert(job, at: second)
            #expect(started == expected, "raised to \(first), then to \(second)")
        }
    }

    @Test("the worker that stopped last is the next to be used, and an identifier is never used twice")
    func reuse() {
        var scheduler = Scheduler(workerCount: 2)
        let first = start(.prefetch, &scheduler)
        let second = start(.prefetch, &scheduler)
        scheduler.finish(second)
        scheduler.finish(first)
        let third = scheduler.add(rank: rank(.prefetch))
        #expect(third.slot == first.slot)
        #expect(third != first)
        #expect(scheduler.start(third) == 0)
    }

    private func start(_ priority: RequestPriority, _ scheduler: inout Scheduler) -> JobID {
        let job = scheduler.add(rank: rank(priority))
        _ = scheduler.start(job)
        return job
    }
}
