import Thumbwheel

/// The workers and the network of a virtual run: what runs, and when it is over.
struct VirtualMachine {
    /// How long work takes to notice that it is to stop: a band of rows, or a packet.
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
        /// What began first ends first.
        let number: Int
        var isStopped = false
    }

    /// In no order; few enough to look through.
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

    /// When the next job is over; nil where none runs.
    var nextEnd: MonotonicTime? { earliest.map { running[$0].end } }

    mutating func takeNext() -> Running? { earliest.map { running.remove(at: $0) } }

    private var earliest: Int? {
        running.indices.min { (running[$0].end, running[$0].number) < (running[$1].end, running[$1].number) }
    }
}
