import ThumbwheelScheduling

/// What `Scheduler` decides, written down as the rules say it: all jobs in one array, every question a search.
struct ReferenceScheduler {
    enum State: Equatable {
        case queued
        case running, stopping
    }

    struct Job {
        let name: Int
        var rank: JobRank
        var state = State.queued
        var startNumber = 0
    }

    let workerCount: Int
    var jobs: [Job] = []
    private var startCount = 0

    init(workerCount: Int) {
        self.workerCount = workerCount
    }

    func names(in state: State) -> [Int] { jobs.filter { $0.state == state }.map(\.name) }

    var runningCount: Int { jobs.count { $0.state != .queued } }

    private var queued: [Job] { jobs.filter { $0.state == .queued }.sorted { $0.rank < $1.rank } }

    func candidate(where isEligible: (Job) -> Bool = { _ in true }) -> Int? {
        runningCount < workerCount ? startable(where: isEligible).first?.name : nil
    }

    /// What is queued, in order, without those that cannot be stopped beyond as many of them as may run.
    private func startable(where isEligible: (Job) -> Bool) -> [Job] {
        var room = max(1, workerCount - 1) - jobs.count { $0.state != .queued && !$0.rank.isStoppable }
        return queued.filter(isEligible).filter { job in
            guard !job.rank.isStoppable else { return true }
            room -= 1
            return room >= 0
        }
    }

    /// Every visible job that waits is entitled to a worker that does not do visible work; those that are stopping are
    /// counted as freed already, unless they cannot be stopped.
    var preemption: Int? {
        guard runningCount == workerCount else { return nil }
        let waiting = startable { $0.rank.priority == .userInitiated }
        return waiting.count > stoppingCount ? victim : nil
    }

    var preemptionForMemory: Int? {
        let first = startable { !$0.rank.isSpeculative }.first
        guard stoppingCount == 0, first?.rank.priority == .userInitiated else { return nil }
        return victim
    }

    private var stoppingCount: Int { jobs.count { $0.state == .stopping && $0.rank.isStoppable } }

    /// The lowest priority, and among equals the one started last.
    private var victim: Int? {
        jobs.filter { $0.state == .running && $0.rank.priority != .userInitiated && $0.rank.isStoppable }
            .max { ($0.rank.priority.rawValue, $0.startNumber) < ($1.rank.priority.rawValue, $1.startNumber) }?.name
    }

    mutating func start(_ name: Int) {
        startCount += 1
        change(name) { [startCount] in
            $0.state = .running
            $0.startNumber = startCount
        }
    }

    mutating func change(_ name: Int, _ body: (inout Job) -> Void) {
        body(&jobs[jobs.firstIndex { $0.name == name }!])
    }

    mutating func remove(_ name: Int) {
        jobs.removeAll { $0.name == name }
    }
}
