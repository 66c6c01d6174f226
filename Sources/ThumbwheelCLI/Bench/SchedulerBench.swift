import Foundation
import Thumbwheel
import ThumbwheelScheduling

/// The scheduler behind a lock, as the pipeline owns it, with all workers busy; beside an operation queue that is held up.
struct SchedulerBench {
    private let options: BenchOptions
    private let progress: ProgressLine

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    private static let million = 1_000_000
    private static let pairCount = 100_000
    /// Fewer: one of them takes as long as a hundred of ours.
    private static let peerPairCount = 10_000
    private static let peer = "OperationQueue"

    func rows() throws -> [BenchRow] {
        progress.show("scheduler: an empty queue")
        let empty = submitCancel("scheduler.submitCancel.empty", JobQueue(), OperationList())
        progress.show("scheduler: filling two queues with a million jobs")
        var random = SeededGenerator(seed: options.seed)
        let queue = JobQueue()
        let jobs = (0..<Self.million).map { _ in queue.add(.prefetch, urgency: Double(random.index(below: 1000))) }
        let operations = OperationList()
        for _ in 0..<Self.million { operations.add() }
        progress.show("scheduler: a million queued")
        return [
            empty, submitCancel("scheduler.submitCancel.million", queue, operations), raise(jobs, in: queue),
            cancelAny(jobs, in: queue),
        ]
    }

    private func submitCancel(_ name: String, _ queue: JobQueue, _ operations: OperationList) -> BenchRow {
        var random = SeededGenerator(seed: options.seed)
        let urgencies = (0..<Self.pairCount).map { _ in Double(random.index(below: 1000)) }
        let times = Stopwatch.interleaved(rounds: options.rounds) {
            for urgency in urgencies { queue.remove(queue.add(.userInitiated, urgency: urgency)) }
        } _: {
            for _ in 0..<Self.peerPairCount { operations.add().cancel() }
        }
        return row(name, times, peer: Self.peer, peerCount: Self.peerPairCount)
    }

    /// Jobs of the queue's middle become visible in the order in which they were queued, as cells do in a scroll; the peer
    /// adds as many that are visible from the start.
    private func raise(_ jobs: [JobID], in queue: JobQueue) -> BenchRow {
        var random = SeededGenerator(seed: options.seed)
        var times: (one: [Double], other: [Double]) = ([], [])
        for _ in 0..<options.rounds {
            let start = random.index(below: jobs.count - Self.pairCount)
            let raised = jobs[start..<start + Self.pairCount]
            let urgencies = raised.map { _ in Double(random.index(below: 1000)) }
            times.one.append(
                Stopwatch.milliseconds {
                    for (job, urgency) in zip(raised, urgencies) { queue.raise(job, urgency: urgency) }
                }.time)
            for (job, urgency) in zip(raised, urgencies) { queue.lower(job, urgency: urgency) }
            var added: [JobID] = []
            added.reserveCapacity(Self.pairCount)
            times.other.append(
                Stopwatch.milliseconds {
                    for urgency in urgencies { added.append(queue.add(.userInitiated, urgency: urgency)) }
                }.time)
            for job in added { queue.remove(job) }
        }
        return row("scheduler.raisePriority.million", times, peer: "a submit", peerCount: Self.pairCount)
    }

    /// Any job of the queue leaves and another comes: what no processor's cache holds has to be fetched from memory.
    private func cancelAny(_ jobs: [JobID], in queue: JobQueue) -> BenchRow {
        var random = SeededGenerator(seed: options.seed)
        var jobs = jobs
        let rounds = (0..<options.rounds).map { _ in
            Stopwatch.milliseconds {
                for _ in 0..<Self.pairCount {
                    let index = random.index(below: jobs.count)
                    queue.remove(jobs[index])
                    jobs[index] = queue.add(.prefetch, urgency: Double(random.index(below: 1000)))
                }
            }.time
        }
        return row("scheduler.submitCancelAny.million", (rounds, []), peer: nil, peerCount: 1)
    }

    private func row(
        _ name: String, _ times: (one: [Double], other: [Double]), peer: String?, peerCount: Int
    ) -> BenchRow {
        BenchRow(
            name, unit: "nanoseconds", rounds: Stopwatch.nanosecondsEach(times.one, of: Self.pairCount),
            operations: Self.pairCount, peer: peer, peerRounds: Stopwatch.nanosecondsEach(times.other, of: peerCount))
    }
}

/// An operation queue that runs nothing.
private final class OperationList {
    private let queue = OperationQueue()

    init() {
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
    }

    deinit {
        queue.cancelAllOperations()
        queue.isSuspended = false
    }

    @discardableResult
    func add() -> Operation {
        let operation = BlockOperation {}
        queue.addOperation(operation)
        return operation
    }
}
