import ThumbwheelCore

/// Which job runs on which worker, as a plain value: the owner reports what happens and carries out what is decided.
///
/// A job is queued, running, or running and told to stop. The scheduler orders queued jobs by rank, hands the first to an
/// idle worker, and finds the running job that has to yield to a more urgent one.
package struct Scheduler: Sendable {
    package enum JobState: Equatable, Sendable {
        /// Waits for something that the scheduler does not know, in no queue.
        case parked
        case queued
        case running(worker: Int)
        /// Told to stop; the worker has not answered yet.
        case stopping(worker: Int)
    }

    /// A place for a job: small, for a million of them may be queued, and each look at one not lately seen goes to memory.
    private struct Slot {
        /// How many jobs the slot has held before.
        var generation: UInt32 = 0
        var holder = Holder.nobody
        /// The queues that still hold the slot at an outdated rank, a bit for each: see `setRank`.
        var leftBehind: UInt16 = 0
    }

    /// Who knows the rank of a slot's job.
    private enum Holder: Equatable {
        case nobody
        case parking
        case queue(Int32)
        case worker(Int32)
    }

    /// Jobs that somebody waits for, and those that are only a chance; of each, those that can be stopped, and those that
    /// cannot.
    private enum Kind: Int, CaseIterable {
        case awaited, awaitedUnstoppable, speculative, speculativeUnstoppable

        var isSpeculative: Bool { self == .speculative || self == .speculativeUnstoppable }
        var isStoppable: Bool { self == .awaited || self == .speculative }
    }

    private struct Run {
        let slot: Int
        var rank: JobRank
        /// In the order of starts: the latest has made the least progress.
        let startNumber: Int
        /// Told to stop, and has not answered yet.
        var isStopping = false
        /// Told to stop only to begin again.
        var restarts = false
    }

    private var slots: [Slot] = []
    private var freeSlots: [Int32] = []
    /// Above the generations of all former slots, so that no identifier is used twice.
    private var firstGeneration: UInt32 = 0
    /// By priority and kind: a job that is raised need not pass all those of its old priority, and the first of one kind is
    /// at hand while there is no room for another.
    private var queues = Array(repeating: RankHeap(), count: Kind.allCases.count * RequestPriority.allCases.count)
    /// The parked jobs; nothing is ever taken from its head.
    private var parking = RankHeap()
    /// By worker.
    private var runs: [Run?]
    private var idleWorkers: [Int]
    private var startCount = 0
    package private(set) var queuedCount = 0

    package init(workerCount: Int) {
        precondition(workerCount > 0, "a scheduler for \(workerCount) workers")
        runs = Array(repeating: nil, count: workerCount)
        // Taken from the end: the first worker is the first to be used, and the one that stopped last the next.
        idleWorkers = Array((0..<workerCount).reversed())
    }

    package var workerCount: Int { runs.count }
    package var runningCount: Int { workerCount - idleWorkers.count }
    /// How many jobs that cannot be stopped may run at once: one worker is always free for other work, or soon will be.
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

    /// Changes a job's rank, whatever its state.
    ///
    /// A job that is raised above its priority leaves its old place in the queue as it is, which makes raising as cheap as
    /// adding. Nobody comes to see that place before the job has gone from its new one, and with it from all.
    package mutating func setRank(_ rank: JobRank, of job: JobID) {
        let queue = Self.queue(for: rank)
        switch holder(of: job) {
        case .worker(let worker): runs[Int(worker)]!.rank = rank
        case .parking: parking.setRank(rank, of: job.slot)
        case .queue(let old) where Int(old) == queue: queues[queue].setRank(rank, of: job.slot)
        case .queue(let old):
            // Of the first kind: whatever is looked for, it is not passed over.
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

    /// Forgets a job that waits, queued or parked.
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
    /// - Parameter restarts: whether that is only to begin again: the worker is not about to be free for another job.
    package mutating func stop(_ job: JobID, restarts: Bool = false) {
        guard case .worker(let worker) = holder(of: job) else { return }
        runs[Int(worker)]!.isStopping = true
        runs[Int(worker)]!.restarts = restarts
    }

    /// Forgets a job whose worker is done with it, and frees the worker.
    package mutating func finish(_ job: JobID) {
        _ = vacateWorker(of: job)
        free(job.slot)
    }

    /// Queues a job again whose worker has stopped it, and frees the worker.
    package mutating func requeue(_ job: JobID) {
        enqueue(job.slot, rank: vacateWorker(of: job))
    }

    // MARK: Decisions

    /// The job to start next; nil where none is queued or no worker is idle.
    package var candidate: JobID? { candidate(includingSpeculative: true) }

    /// The job to start next, among all or only among those that somebody waits for. One that cannot be stopped is passed
    /// over while as many of its kind run as may.
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

    /// The running job that has to make way for the first queued one: of those that run for a lower priority and are not
    /// stopping yet, the lowest, and among equals the one with the least progress. Nil where none has to, a worker that is
    /// idle or about to be included. What cannot be stopped is left to finish: its worker would be free no sooner.
    package var preemption: JobID? {
        // Workers that are stopping will take the most urgent jobs; only those beyond them need another.
        guard idleWorkers.isEmpty, startableVisibleCount > stoppingCount else { return nil }
        return runningJob(below: .userInitiated)
    }

    /// The running job that has to make way where it is memory that the first queued one lacks, not a worker: chosen as
    /// `preemption` chooses. Nil also while any job is stopping, for what it gives back may be enough.
    package var preemptionForMemory: JobID? {
        guard startableVisibleCount > 0, stoppingCount == 0 else { return nil }
        return runningJob(below: .userInitiated)
    }

    /// How many visible jobs that somebody waits for may start as far as their kind is concerned.
    private var startableVisibleCount: Int {
        let unstoppableCount = queues[Self.queue(of: .awaitedUnstoppable, 0)].count
        return queues[Self.queue(of: .awaited, 0)].count + min(unstoppableCount, unstoppableRoom)
    }

    /// How many more jobs that cannot be stopped may start.
    private var unstoppableRoom: Int {
        unstoppableBound - runs.count { $0.map { !$0.rank.isStoppable } ?? false }
    }

    /// How many workers are about to be free. Those whose jobs cannot be stopped may take long.
    private var stoppingCount: Int {
        runs.count { $0.map { $0.isStopping && !$0.restarts && $0.rank.isStoppable } ?? false }
    }

    /// Of the jobs that run for less than `priority`, can be stopped and are not stopping: one of the lowest, with the least
    /// progress.
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

    /// What a queued job takes of a scheduler's storage, in bytes.
    package static let queuedByteCount = MemoryLayout<Slot>.stride + RankHeap.slotByteCount

    /// The number of slots that jobs have, or have had.
    package var slotCount: Int { slots.count }

    /// Frees the storage that many jobs took, once none is left. Identifiers of ended jobs must not be used after this
    /// call.
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

    /// Throws where the parts contradict one another.
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
