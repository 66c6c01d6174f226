import ThumbwheelCore

/// Which job runs on which worker, as a plain value: the owner reports what happens and carries out what is decided.
///
/// A job is queued, running, or running and told to stop. The scheduler orders queued jobs by rank, hands the first to an
/// idle worker, and finds the running job that has to yield to a more urgent one.
public struct Scheduler: Sendable {
    public enum JobState: Equatable, Sendable {
        /// Waits for something that the scheduler does not know, in no queue.
        case parked
        case queued
        case running(worker: Int)
        /// Told to stop; the worker has not answered yet.
        case stopping(worker: Int)
    }

    private struct Slot {
        var generation = 0
        var rank: JobRank
        var state: JobState
        /// When the job was started, in the order of starts: the latest has made the least progress.
        var startNumber = 0
    }

    private var slots: [Slot?] = []
    private var generations: [Int] = []
    private var freeSlots: [Int] = []
    /// Jobs that somebody waits for, and those that are only a chance; of each, those that can be stopped, and those that
    /// cannot. They are kept apart, so that the first of one kind is at hand while there is no room for another.
    private var queues = Array(repeating: RankHeap(), count: 4)
    private var runningSlots: [Int?]
    private var idleWorkers: [Int]
    private var startCount = 0

    public init(workerCount: Int) {
        precondition(workerCount > 0, "a scheduler for \(workerCount) workers")
        runningSlots = Array(repeating: nil, count: workerCount)
        // Taken from the end: the first worker is the first to be used, and the one that stopped last the next.
        idleWorkers = Array((0..<workerCount).reversed())
    }

    public var workerCount: Int { runningSlots.count }
    public var queuedCount: Int { queues.reduce(0) { $0 + $1.count } }
    public var runningCount: Int { workerCount - idleWorkers.count }
    /// How many jobs that cannot be stopped may run at once: one worker is always free for other work, or soon will be.
    public var unstoppableBound: Int { max(1, workerCount - 1) }

    // MARK: Jobs

    /// Queues a new job, or parks it.
    public mutating func add(rank: JobRank, isParked: Bool = false) -> JobID {
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
        } else {
            slot = slots.count
            slots.append(nil)
            generations.append(0)
        }
        slots[slot] = Slot(generation: generations[slot], rank: rank, state: isParked ? .parked : .queued)
        if !isParked { enqueue(slot) }
        return JobID(slot: slot, generation: generations[slot])
    }

    public func state(of job: JobID) -> JobState { self[job].state }

    public func rank(of job: JobID) -> JobRank { self[job].rank }

    /// Changes a job's rank, queued or running.
    public mutating func setRank(_ rank: JobRank, of job: JobID) {
        guard self[job].rank != rank else { return }
        guard self[job].state == .queued else {
            self[job].rank = rank
            return
        }
        let queue = Self.queue(for: rank)
        guard queue != Self.queue(for: self[job].rank) else {
            self[job].rank = rank
            queues[queue].setRank(rank, of: job.slot)
            return
        }
        dequeue(job.slot)
        self[job].rank = rank
        enqueue(job.slot)
    }

    /// Forgets a job that waits, queued or parked.
    public mutating func removeQueued(_ job: JobID) {
        switch self[job].state {
        case .queued: dequeue(job.slot)
        case .parked: break
        case .running, .stopping: preconditionFailure("only a waiting job can be removed; a running one is stopped")
        }
        free(job.slot)
    }

    /// Takes a queued job out of the queue until `unpark`.
    public mutating func park(_ job: JobID) {
        guard self[job].state == .queued else { return }
        dequeue(job.slot)
        self[job].state = .parked
    }

    public mutating func unpark(_ job: JobID) {
        guard self[job].state == .parked else { return }
        self[job].state = .queued
        enqueue(job.slot)
    }

    /// Marks a running job as told to stop; its worker answers with `finish` or `requeue`.
    public mutating func stop(_ job: JobID) {
        guard case .running(let worker) = self[job].state else { return }
        self[job].state = .stopping(worker: worker)
    }

    /// Forgets a job whose worker is done with it, and frees the worker.
    public mutating func finish(_ job: JobID) {
        vacateWorker(of: job)
        free(job.slot)
    }

    /// Queues a job again whose worker has stopped it, and frees the worker.
    public mutating func requeue(_ job: JobID) {
        vacateWorker(of: job)
        self[job].state = .queued
        enqueue(job.slot)
    }

    // MARK: Decisions

    /// The job to start next; nil where none is queued or no worker is idle.
    public var candidate: JobID? { candidate(includingSpeculative: true) }

    /// The job to start next, among all or only among those that somebody waits for. One that cannot be stopped is passed
    /// over while as many of its kind run as may.
    public func candidate(includingSpeculative: Bool) -> JobID? {
        guard !idleWorkers.isEmpty else { return nil }
        guard let first = first(in: includingSpeculative ? Self.allQueues : Self.awaitedQueues) else { return nil }
        return JobID(slot: first.slot, generation: generations[first.slot])
    }

    /// Starts a queued job on an idle worker.
    ///
    /// - Returns: the worker's number.
    public mutating func start(_ job: JobID) -> Int {
        guard let worker = idleWorkers.popLast() else { preconditionFailure("no worker is idle") }
        dequeue(job.slot)
        startCount += 1
        self[job].startNumber = startCount
        self[job].state = .running(worker: worker)
        runningSlots[worker] = job.slot
        return worker
    }

    /// The running job that has to make way for the first queued one: of those that run for a lower priority and are not
    /// stopping yet, the lowest, and among equals the one with the least progress. Nil where none has to, a worker that is
    /// idle or about to be included. What cannot be stopped is left to finish: its worker would be free no sooner.
    public var preemption: JobID? {
        guard idleWorkers.isEmpty else { return nil }
        // Workers that are stopping will take the most urgent jobs; only those beyond them need another.
        let stoppingCount = stoppingCount
        var waitingCount = queues[Self.awaitedQueues[0]].count(of: .userInitiated, upTo: stoppingCount + 1)
        waitingCount += queues[Self.awaitedQueues[1]].count(
            of: .userInitiated, upTo: min(unstoppableRoom, stoppingCount + 1))
        return waitingCount > stoppingCount ? runningJob(below: .userInitiated) : nil
    }

    /// The running job that has to make way where it is memory that the first queued one lacks, not a worker: chosen as
    /// `preemption` chooses. Nil also while any job is stopping, for what it gives back may be enough.
    public var preemptionForMemory: JobID? {
        guard stoppingCount == 0, first(in: Self.awaitedQueues)?.rank.priority == .userInitiated else { return nil }
        return runningJob(below: .userInitiated)
    }

    /// The first job among several queues that may start as far as its kind is concerned.
    private func first(in numbers: [Int]) -> (slot: Int, rank: JobRank)? {
        let hasRoom = unstoppableRoom > 0
        return numbers.lazy.compactMap { queues[$0].first }.filter { hasRoom || $0.rank.isStoppable }
            .min { $0.rank < $1.rank }
    }

    /// How many more jobs that cannot be stopped may start.
    private var unstoppableRoom: Int {
        unstoppableBound - runningSlots.count { $0.map { !slots[$0]!.rank.isStoppable } ?? false }
    }

    /// How many workers are about to be free. Those whose jobs cannot be stopped may take long.
    private var stoppingCount: Int {
        runningSlots.count { slot in
            if let slot, case .stopping = slots[slot]!.state { slots[slot]!.rank.isStoppable } else { false }
        }
    }

    /// Of the jobs that run for less than `priority`, can be stopped and are not stopping: one of the lowest, with the least
    /// progress.
    private func runningJob(below priority: RequestPriority) -> JobID? {
        var victim: Int?
        for case let slot? in runningSlots {
            let running = slots[slot]!
            guard case .running = running.state, running.rank.priority > priority, running.rank.isStoppable
            else { continue }
            guard let chosen = victim.map({ slots[$0]! }) else {
                victim = slot
                continue
            }
            if (running.rank.priority, running.startNumber) > (chosen.rank.priority, chosen.startNumber) {
                victim = slot
            }
        }
        return victim.map { JobID(slot: $0, generation: generations[$0]) }
    }

    // MARK: Bookkeeping

    private subscript(job: JobID) -> Slot {
        get {
            guard let slot = slots[job.slot], slot.generation == job.generation else {
                preconditionFailure("a job that is over")
            }
            return slot
        }
        set { slots[job.slot] = newValue }
    }

    private mutating func vacateWorker(of job: JobID) {
        switch self[job].state {
        case .running(let worker), .stopping(let worker):
            runningSlots[worker] = nil
            idleWorkers.append(worker)
        case .queued, .parked:
            preconditionFailure("a waiting job has no worker")
        }
    }

    private mutating func enqueue(_ slot: Int) {
        let rank = slots[slot]!.rank
        queues[Self.queue(for: rank)].insert(slot, rank: rank)
    }

    private mutating func dequeue(_ slot: Int) {
        queues[Self.queue(for: slots[slot]!.rank)].remove(slot)
    }

    private static let awaitedQueues = [0, 1]
    private static let allQueues = [0, 1, 2, 3]

    private static func queue(for rank: JobRank) -> Int {
        (rank.isSpeculative ? 2 : 0) + (rank.isStoppable ? 0 : 1)
    }

    private mutating func free(_ slot: Int) {
        slots[slot] = nil
        generations[slot] += 1
        freeSlots.append(slot)
    }

    /// Throws where the parts contradict one another.
    package func checkInvariants() throws(BrokenInvariant) {
        for queue in queues { try queue.checkInvariants() }
        try BrokenInvariant.require(unstoppableRoom >= 0, "more jobs run that cannot be stopped than may")
        for (slot, job) in slots.enumerated() {
            guard let job else {
                try BrokenInvariant.require(!queues.contains { $0.contains(slot) }, "a free slot is queued")
                continue
            }
            let queue = job.state == .queued ? Self.queue(for: job.rank) : nil
            try BrokenInvariant.require(
                queues.indices.allSatisfy { queues[$0].contains(slot) == ($0 == queue) }, "queues and state disagree")
        }
        for (worker, slot) in runningSlots.enumerated() {
            try BrokenInvariant.require(
                (slot == nil) == idleWorkers.contains(worker), "worker \(worker) is idle and busy, or neither")
            if let slot {
                let state = slots[slot]!.state
                try BrokenInvariant.require(
                    state == .running(worker: worker) || state == .stopping(worker: worker),
                    "a worker runs another's job")
            }
        }
    }
}
