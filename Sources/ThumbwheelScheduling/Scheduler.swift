import ThumbwheelCore

/// Decides which job runs on which worker. The scheduler is a plain value: its owner reports events to it and carries
/// out its decisions.
///
/// A job is parked, queued, running, or stopping (told to stop while running). The scheduler orders queued jobs by
/// rank, assigns the first one to an idle worker, and chooses a running job to stop if a more urgent one has no worker.
package struct Scheduler: Sendable {
    package enum JobState: Equatable, Sendable {
        /// The job is in no queue. It waits for something outside the scheduler, for example for bytes from a network.
        case parked
        case queued
        case running(worker: Int)
        /// The job has been told to stop, and its worker has not answered yet.
        case stopping(worker: Int)
    }

    /// The state of one job. It is small, because a million jobs may be queued, and reading a slot that was not used
    /// lately takes an access to main memory.
    private struct Slot {
        /// The number of jobs that have been in the slot before.
        var generation: UInt32
        /// The number of the holder (`Holder.number`), shifted to the left by `queueCount` bits, and below it one bit
        /// for each queue (`leftBehind`).
        private var bits: UInt32 = 0

        init(generation: UInt32) {
            self.generation = generation
        }

        var holder: Holder {
            get { Holder(number: bits >> UInt32(Scheduler.queueCount)) }
            set { bits = newValue.number << UInt32(Scheduler.queueCount) | UInt32(leftBehind) }
        }

        /// The queues that still have an entry for the slot with an outdated rank, one bit for each queue; see
        /// `setRank`.
        var leftBehind: UInt16 {
            get { UInt16(truncatingIfNeeded: bits & (1 << UInt32(Scheduler.queueCount) - 1)) }
            set { bits = holder.number << UInt32(Scheduler.queueCount) | UInt32(newValue) }
        }
    }

    /// The part of the scheduler in which the rank of a slot's job is stored.
    private enum Holder: Equatable {
        case nobody
        case parking
        case queue(Int32)
        case worker(Int32)

        /// The holder as a small number.
        var number: UInt32 {
            switch self {
            case .nobody: 0
            case .parking: 1
            case .queue(let queue): UInt32(2 + queue)
            case .worker(let worker): UInt32(2 + Int32(Scheduler.queueCount) + worker)
            }
        }

        init(number: UInt32) {
            let number = Int32(number)
            self =
                switch number {
                case 0: .nobody
                case 1: .parking
                case ..<(2 + Int32(Scheduler.queueCount)): .queue(number - 2)
                default: .worker(number - 2 - Int32(Scheduler.queueCount))
                }
        }
    }

    /// The kinds of jobs that have queues of their own: awaited jobs, which a request waits for, and speculative jobs,
    /// each either stoppable or not.
    private enum Kind: Int, CaseIterable {
        case awaited, awaitedUnstoppable, speculative, speculativeUnstoppable

        var isSpeculative: Bool { self == .speculative || self == .speculativeUnstoppable }
        var isStoppable: Bool { self == .awaited || self == .speculative }
    }

    private struct Run {
        let slot: Int
        var rank: JobRank
        /// The number of this start among all starts of jobs. The run with the largest number has made the least
        /// progress.
        let startNumber: Int
        /// Whether the worker has been told to stop the job and has not answered yet.
        var isStopping = false
        /// Whether the job was told to stop only so that it can begin again.
        var restarts = false
    }

    /// The number of queues: one for each priority and kind.
    private static let queueCount = 12

    private var slots: [Slot] = []
    private var freeSlots: [Int32] = []
    /// The generation of a new slot. It is greater than all generations of slots that were freed, so that no identifier
    /// is used twice.
    private var firstGeneration: UInt32 = 0
    /// The queues, one for each priority and kind. Thanks to the separate queues, a job that gets a higher priority
    /// need not be moved past all jobs of its old priority. And while no job of one kind may start, the first job of
    /// another kind is found at once.
    private var queues = Array(repeating: RankHeap(), count: queueCount)
    /// The ranks of parked jobs. The heap is only used as storage: its first element has no meaning.
    private var parking = RankHeap()
    /// The job that each worker runs; nil for an idle worker.
    private var runs: [Run?]
    private var idleWorkers: [Int]
    private var startCount = 0
    package private(set) var queuedCount = 0

    package init(workerCount: Int) {
        precondition(workerCount > 0, "a scheduler for \(workerCount) workers")
        assert(Self.queueCount == Kind.allCases.count * RequestPriority.allCases.count)
        runs = Array(repeating: nil, count: workerCount)
        // Workers are taken from the end of this list. So worker 0 is used first, and later the worker that has become
        // idle most recently.
        idleWorkers = Array((0..<workerCount).reversed())
    }

    package var workerCount: Int { runs.count }
    package var runningCount: Int { workerCount - idleWorkers.count }
    /// The number of unstoppable jobs that may run at once. It leaves one worker free for other work, if there are
    /// several.
    package var unstoppableBound: Int { max(1, workerCount - 1) }

    // MARK: Jobs

    /// Queues a new job.
    package mutating func add(rank: JobRank) -> JobID {
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = Int(free)
        } else {
            slot = slots.count
            slots.append(Slot(generation: firstGeneration))
        }
        enqueue(slot, rank: rank)
        return JobID(slot: slot, generation: slots[slot].generation)
    }

    package func state(of job: JobID) -> JobState {
        switch holder(of: job) {
        case .worker(let worker):
            let isStopping = runs[Int(worker)]!.isStopping
            return isStopping ? .stopping(worker: Int(worker)) : .running(worker: Int(worker))
        case .queue: return .queued
        case .parking: return .parked
        case .nobody: preconditionFailure("a job that is over")
        }
    }

    package func rank(of job: JobID) -> JobRank {
        switch holder(of: job) {
        case .worker(let worker): runs[Int(worker)]!.rank
        case .queue(let queue): queues[Int(queue)].rank(of: job.slot)
        case .parking: parking.rank(of: job.slot)
        case .nobody: preconditionFailure("a job that is over")
        }
    }

    /// Changes a job's rank, in any state.
    ///
    /// A job that gets a higher priority leaves an outdated entry in its old queue, because removing it would take
    /// longer than adding a job. No search reaches that entry while the job is in its new queue, because the new queue
    /// is searched first. When the job leaves its new queue, its outdated entries are removed too.
    package mutating func setRank(_ rank: JobRank, of job: JobID) {
        let queue = Self.queue(for: rank)
        switch holder(of: job) {
        case .worker(let worker): runs[Int(worker)]!.rank = rank
        case .parking: parking.setRank(rank, of: job.slot)
        case .queue(let old) where Int(old) == queue: queues[queue].setRank(rank, of: job.slot)
        case .queue(let old):
            // An outdated entry may stay only if the new kind is `awaited`. Every search looks at that kind, and so
            // finds the job in its new queue first.
            if Self.kind(of: queue) == .awaited, Self.priority(of: queue) < Self.priority(of: Int(old)) {
                slots[job.slot].leftBehind |= 1 << UInt16(old)
                queuedCount -= 1
            } else {
                dequeue(job)
            }
            enqueue(job.slot, rank: rank)
        case .nobody: preconditionFailure("a job that is over")
        }
    }

    /// Removes a job that waits, queued or parked.
    package mutating func removeQueued(_ job: JobID) {
        if holder(of: job) == .parking { parking.remove(job.slot) } else { dequeue(job) }
        free(job.slot)
    }

    /// Takes a queued job out of the queue until `unpark`.
    package mutating func park(_ job: JobID) {
        guard case .queue = holder(of: job) else { return }
        let rank = rank(of: job)
        dequeue(job)
        parking.insert(job.slot, rank: rank)
        slots[job.slot].holder = .parking
    }

    package mutating func unpark(_ job: JobID) {
        guard holder(of: job) == .parking else { return }
        let rank = parking.rank(of: job.slot)
        parking.remove(job.slot)
        enqueue(job.slot, rank: rank)
    }

    /// Marks a running job as told to stop; its worker answers with `finish` or `requeue`.
    ///
    /// - Parameter restarts: whether the job stops only to begin again, so that its worker does not become free for
    ///   another job.
    package mutating func stop(_ job: JobID, restarts: Bool = false) {
        guard case .worker(let worker) = holder(of: job) else { return }
        runs[Int(worker)]!.isStopping = true
        runs[Int(worker)]!.restarts = restarts
    }

    /// Removes a job that its worker has finished, and frees the worker.
    package mutating func finish(_ job: JobID) {
        _ = vacateWorker(of: job)
        free(job.slot)
    }

    /// Queues a job again after its worker has stopped it, and frees the worker.
    package mutating func requeue(_ job: JobID) {
        enqueue(job.slot, rank: vacateWorker(of: job))
    }

    // MARK: Decisions

    /// The job to start next; nil if no job is queued or no worker is idle.
    package var candidate: JobID? { candidate(includingSpeculative: true) }

    /// The job to start next, among all queued jobs or only among those that a request waits for. Unstoppable jobs are
    /// skipped while the largest allowed number of them is running.
    package func candidate(includingSpeculative: Bool) -> JobID? {
        guard !idleWorkers.isEmpty else { return nil }
        let hasRoom = unstoppableRoom > 0
        for priority in 0..<RequestPriority.allCases.count {
            var first: (slot: Int, rank: JobRank)?
            for kind in Kind.allCases where includingSpeculative || !kind.isSpeculative {
                guard hasRoom || kind.isStoppable, let head = queues[Self.queue(of: kind, priority)].first else {
                    continue
                }
                if first.map({ head.rank < $0.rank }) ?? true { first = head }
            }
            if let first { return jobID(of: first.slot) }
        }
        return nil
    }

    /// Starts a queued job on an idle worker.
    ///
    /// - Returns: the worker's number.
    package mutating func start(_ job: JobID) -> Int {
        guard let worker = idleWorkers.popLast() else { preconditionFailure("no worker is idle") }
        startCount += 1
        runs[worker] = Run(slot: job.slot, rank: rank(of: job), startNumber: startCount)
        dequeue(job)
        slots[job.slot].holder = .worker(Int32(worker))
        return worker
    }

    /// The running job that has to stop because a visible job in the queue needs its worker. Nil if none has to stop,
    /// for example because a worker is idle or will soon be. The job with the lowest priority is chosen and, among
    /// several, the one with the least progress. Jobs that are stopping already are not chosen, and neither are
    /// unstoppable jobs, because telling them to stop would not free their workers sooner.
    package var preemption: JobID? {
        // The workers that are stopping will take the most urgent visible jobs. One more worker is needed only if there
        // are more visible jobs than such workers.
        guard idleWorkers.isEmpty, startableVisibleCount > stoppingCount else { return nil }
        return runningJob(below: .userInitiated)
    }

    /// The running job that has to stop because the first queued job needs memory and not a worker. It is chosen in the
    /// same way as in `preemption`. Nil also while any job is stopping, because its memory may be enough.
    package var preemptionForMemory: JobID? {
        guard startableVisibleCount > 0, stoppingCount == 0 else { return nil }
        return runningJob(below: .userInitiated)
    }

    /// The number of queued visible jobs that a request waits for. Of unstoppable jobs, only as many count as may
    /// start.
    private var startableVisibleCount: Int {
        let unstoppableCount = queues[Self.queue(of: .awaitedUnstoppable, 0)].count
        return queues[Self.queue(of: .awaited, 0)].count + min(unstoppableCount, unstoppableRoom)
    }

    /// The number of unstoppable jobs that may still start, in addition to those that are running.
    private var unstoppableRoom: Int {
        unstoppableBound - runs.count { $0.map { !$0.rank.isStoppable } ?? false }
    }

    /// The number of workers that will soon be free, because they have been told to stop. Workers with unstoppable jobs
    /// do not count, because they may take long.
    private var stoppingCount: Int {
        runs.count { $0.map { $0.isStopping && !$0.restarts && $0.rank.isStoppable } ?? false }
    }

    /// The running job that should stop first: a stoppable job below `priority` that is not stopping yet. It has the
    /// lowest priority of these jobs and, among several, the least progress.
    private func runningJob(below priority: RequestPriority) -> JobID? {
        var victim: Run?
        for case let run? in runs where !run.isStopping && run.rank.isStoppable && run.rank.priority > priority {
            if let victim, (run.rank.priority, run.startNumber) < (victim.rank.priority, victim.startNumber) {
                continue
            }
            victim = run
        }
        return victim.map { jobID(of: $0.slot) }
    }

    // MARK: Bookkeeping

    private static func queue(of kind: Kind, _ priority: Int) -> Int { priority * Kind.allCases.count + kind.rawValue }

    private static func queue(for rank: JobRank) -> Int {
        let kind: Kind =
            switch (rank.isSpeculative, rank.isStoppable) {
            case (false, true): .awaited
            case (false, false): .awaitedUnstoppable
            case (true, true): .speculative
            case (true, false): .speculativeUnstoppable
            }
        return queue(of: kind, rank.priority.rawValue)
    }

    private static func kind(of queue: Int) -> Kind { Kind(rawValue: queue % Kind.allCases.count)! }

    private static func priority(of queue: Int) -> Int { queue / Kind.allCases.count }

    private func jobID(of slot: Int) -> JobID { JobID(slot: slot, generation: slots[slot].generation) }

    private func holder(of job: JobID) -> Holder {
        let slot = slots[job.slot]
        precondition(slot.generation == job.generation, "a job that is over")
        return slot.holder
    }

    /// - Returns: the job's rank.
    private mutating func vacateWorker(of job: JobID) -> JobRank {
        guard case .worker(let worker) = holder(of: job), let run = runs[Int(worker)] else {
            preconditionFailure("a waiting job has no worker")
        }
        runs[Int(worker)] = nil
        idleWorkers.append(Int(worker))
        return run.rank
    }

    private mutating func enqueue(_ slot: Int, rank: JobRank) {
        let queue = Self.queue(for: rank)
        queues[queue].insert(slot, rank: rank)
        slots[slot].holder = .queue(Int32(queue))
        queuedCount += 1
    }

    private mutating func dequeue(_ job: JobID) {
        guard case .queue(let queue) = holder(of: job) else {
            preconditionFailure("only a waiting job can be taken from its queue; a running one is stopped")
        }
        queues[Int(queue)].remove(job.slot)
        queuedCount -= 1
        while slots[job.slot].leftBehind != 0 {
            let other = slots[job.slot].leftBehind.trailingZeroBitCount
            queues[other].remove(job.slot)
            slots[job.slot].leftBehind &= ~(1 << UInt16(other))
        }
    }

    /// The memory that a queued job takes in a scheduler, in bytes.
    package static let queuedByteCount = MemoryLayout<Slot>.stride + RankHeap.slotByteCount

    /// The number of slots that jobs have, or have had.
    package var slotCount: Int { slots.count }

    /// Frees the storage that many jobs took, after the last job has ended. Identifiers of ended jobs must not be used
    /// after this call.
    package mutating func shrink() {
        guard freeSlots.count == slots.count else { return }
        firstGeneration = 1 &+ (slots.lazy.map(\.generation).max() ?? firstGeneration)
        slots = []
        freeSlots = []
        queues = queues.map { _ in RankHeap() }
        parking = RankHeap()
    }

    private mutating func free(_ slot: Int) {
        slots[slot].holder = .nobody
        slots[slot].generation &+= 1
        freeSlots.append(Int32(slot))
    }

    /// Throws if the parts of the scheduler contradict one another.
    package func checkInvariants() throws(BrokenInvariant) {
        for heap in queues + [parking] { try heap.checkInvariants() }
        try BrokenInvariant.require(unstoppableRoom >= 0, "more jobs run that cannot be stopped than may")
        var queuedCount = 0
        for (slot, job) in slots.enumerated() {
            var (live, leftBehind): (Int?, UInt16) = (nil, job.leftBehind)
            switch job.holder {
            case .queue(let queue):
                queuedCount += 1
                live = Int(queue)
            case .worker(let worker):
                try BrokenInvariant.require(runs[Int(worker)]?.slot == slot, "a worker runs another's job")
            case .parking, .nobody: break
            }
            try BrokenInvariant.require(
                parking.contains(slot) == (job.holder == .parking), "a parked job that is not in its place")
            try BrokenInvariant.require(
                live != nil || leftBehind == 0, "a job that is in no queue has left a place in one")
            for (number, queue) in queues.enumerated() where queue.contains(slot) {
                try BrokenInvariant.require(
                    Self.queue(for: queue.rank(of: slot)) == number, "a rank in the wrong queue")
                guard number != live else { continue }
                try BrokenInvariant.require(
                    leftBehind & 1 << UInt16(number) != 0, "a place in a queue that nobody knows of")
                try BrokenInvariant.require(
                    Self.kind(of: live!) == .awaited && Self.priority(of: live!) < Self.priority(of: number),
                    "a place left behind that comes too soon")
                leftBehind &= ~(1 << UInt16(number))
            }
            try BrokenInvariant.require(leftBehind == 0, "a place left behind where there is none")
            if let live { try BrokenInvariant.require(queues[live].contains(slot), "a queued job in no queue") }
        }
        try BrokenInvariant.require(queuedCount == self.queuedCount, "queued jobs miscounted")
        for (worker, run) in runs.enumerated() {
            try BrokenInvariant.require(
                (run == nil) == idleWorkers.contains(worker), "worker \(worker) is idle and busy, or neither")
            if let run {
                try BrokenInvariant.require(
                    slots[run.slot].holder == .worker(Int32(worker)), "a job without its worker")
            }
        }
    }
}
