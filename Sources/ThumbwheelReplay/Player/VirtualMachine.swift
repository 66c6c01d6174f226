import Thumbwheel

/// The workers and the network of a virtual run: the jobs that run, and the times at which they end.
struct VirtualMachine {
    /// The time in milliseconds that a job needs to notice that it is to stop: one band of rows, or one packet.
    private static let stopMilliseconds = 0.5

    enum Job {
        case render(RenderAssignment)
        case fetch(FetchAssignment)

        var token: CancellationToken {
            switch self {
            case .render(let assignment): assignment.token
            case .fetch(let assignment): assignment.token
            }
        }
    }

    struct Running {
        let job: Job
        var end: MonotonicTime
        /// The job's number in the order of start; of jobs that end at the same time, the one that began first ends first.
        let number: Int
        var isStopped = false
    }

    /// The running jobs, in no order; there are few enough to search through.
    private var running: [Running] = []
    private var lastNumber = 0

    mutating func start(_ job: Job, until end: MonotonicTime) {
        lastNumber += 1
        running.append(Running(job: job, end: end, number: lastNumber))
    }

    mutating func stop(_ token: CancellationToken, at now: MonotonicTime) {
        guard let index = running.firstIndex(where: { $0.job.token === token }) else { return }
        let stop = now.advanced(byMilliseconds: Self.stopMilliseconds)
        guard stop < running[index].end else { return }
        running[index].end = stop
        running[index].isStopped = true
    }

    /// The time at which the next job ends; nil if no job runs.
    var nextEnd: MonotonicTime? { earliest.map { running[$0].end } }

    mutating func takeNext() -> Running? { earliest.map { running.remove(at: $0) } }

    private var earliest: Int? {
        running.indices.min { (running[$0].end, running[$0].number) < (running[$1].end, running[$1].number) }
    }
}
