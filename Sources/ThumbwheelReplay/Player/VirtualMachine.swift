import Thumbwheel

/// The workers, the network and the stores of a virtual run: the jobs that run, and the times at which they end.
struct VirtualMachine {
    /// The time in milliseconds that a job needs to notice that it is to stop: one band of rows, or one packet.
    private static let stopMilliseconds = 0.5

    enum Job {
        case render(RenderAssignment)
        case fetch(FetchAssignment)
        case lookUp(LookUpAssignment)
        /// A rendition is on its way to a storage tier.
        case write(KeepAssignment, StorageTier)
        /// A claim is on its way to the store that the servers share.
        case claim(ClaimAssignment)
        /// The answer to a claim is on its way back.
        case claimAnswer(ClaimAssignment, SimulatedSharedStore.Answer)

        /// The token by which the job is told to stop; nil if it never is.
        var token: CancellationToken? {
            switch self {
            case .render(let assignment): assignment.token
            case .fetch(let assignment): assignment.token
            case .claim(let assignment), .claimAnswer(let assignment, _): assignment.token
            case .lookUp, .write: nil
            }
        }
    }

    struct Running {
        let job: Job
        /// The index of the server whose job it is.
        let server: Int
        var end: MonotonicTime
        /// The job's number in the order of start; of jobs that end at the same time, the one that began first ends first.
        let number: Int
        var isStopped = false
    }

    /// The running jobs, in no order; there are few enough to search through.
    private var running: [Running] = []
    private var lastNumber = 0

    mutating func start(_ job: Job, of server: Int = 0, until end: MonotonicTime) {
        lastNumber += 1
        running.append(Running(job: job, server: server, end: end, number: lastNumber))
    }

    /// Tells a job to stop.
    ///
    /// - Returns: whether there is such a job.
    @discardableResult
    mutating func stop(_ token: CancellationToken, at now: MonotonicTime) -> Bool {
        guard let index = running.firstIndex(where: { $0.job.token === token }) else { return false }
        let stop = now.advanced(byMilliseconds: Self.stopMilliseconds)
        guard stop < running[index].end else { return true }
        running[index].end = stop
        running[index].isStopped = true
        return true
    }

    /// Removes all jobs, because the processes that run them have ended.
    mutating func removeAll() { running = [] }

    /// The time at which the next job ends; nil if no job runs.
    var nextEnd: MonotonicTime? { earliest.map { running[$0].end } }

    mutating func takeNext() -> Running? { earliest.map { running.remove(at: $0) } }

    private var earliest: Int? {
        running.indices.min { (running[$0].end, running[$0].number) < (running[$1].end, running[$1].number) }
    }
}
