import Foundation
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelScheduling

/// A scheduler that threads could share, whose one worker is busy for ever.
final class JobQueue: Sendable {
    private struct State {
        var scheduler = Scheduler(workerCount: 1)
        var sequence: Int64 = 0

        mutating func rank(_ priority: RequestPriority, _ urgency: Double) -> JobRank {
            sequence += 1
            return JobRank(priority: priority, stage: .final, urgency: urgency, sequence: -sequence)
        }
    }

    private let state = Mutex(State())

    init() {
        state.withLock { state in
            let job = state.scheduler.add(rank: state.rank(.userInitiated, 0))
            _ = state.scheduler.start(job)
        }
    }

    @discardableResult
    func add(_ priority: RequestPriority, urgency: Double) -> JobID {
        state.withLock { $0.scheduler.add(rank: $0.rank(priority, urgency)) }
    }

    func remove(_ job: JobID) {
        state.withLock { $0.scheduler.removeQueued(job) }
    }

    func raise(_ job: JobID, urgency: Double) {
        state.withLock { $0.scheduler.setRank($0.rank(.userInitiated, urgency), of: job) }
    }

    func lower(_ job: JobID, urgency: Double) {
        state.withLock { $0.scheduler.setRank($0.rank(.prefetch, urgency), of: job) }
    }
}
