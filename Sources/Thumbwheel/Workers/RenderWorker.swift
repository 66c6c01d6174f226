import Dispatch
import ThumbwheelCore
import ThumbwheelLocks

/// A worker runs the jobs handed to it, one after another, on a thread of its own. If a job is abandoned, the worker
/// gets another thread. Once the former thread has ended the abandoned job, it waits as a spare until the worker needs a
/// thread again; if there is a spare already, it ends. If the system has no thread to give, the worker tries again until
/// it has one, or until a thread has ended its abandoned job and takes the place of the missing one.
final class RenderWorker: Sendable {
    typealias Assistance = @Sendable (_ isWantedElsewhere: () -> Bool) -> Void
    /// Does a job, and returns what the thread does next.
    typealias Run = @Sendable (RenderAssignment) -> Step

    /// What a thread does after a job.
    enum Step {
        /// Runs the next job of the worker.
        case run(RenderAssignment)
        /// Waits for a job.
        case wait
        /// Leaves the worker, because its job has been abandoned: it becomes the spare thread, or ends.
        case leave
    }

    private struct State {
        /// The assignments that no thread has taken yet. There may be two: if a job is abandoned before it has been
        /// handed to the worker, the next job can come first. Each is then taken by a thread of its own.
        var assignments: [RenderAssignment] = []
        var assistance: Assistance?
        /// Whether the thread is idle: it waits for an assignment, or for another worker's render to help with.
        var isIdle = false
        var isLeaving = false
        /// The threads that the system had not to give. There may be several: a job may be abandoned while it waits
        /// for a missing thread, and the next job needs a thread of its own.
        var missingThreads: [MissingThread] = []
        /// Whether a thread whose job was abandoned, and which has ended it, waits to become the worker's thread again.
        var hasSpareThread = false
    }

    private struct MissingThread {
        let name: String
        let run: Run
    }

    private let startThread: BlockingThreads.Start
    private let state = Mutex(State())
    /// Signalled once for each change of `state` that the thread has to notice. The thread need not be waiting at that
    /// moment.
    private let arrival = DispatchSemaphore(value: 0)
    /// Signalled when the spare thread becomes the worker's thread, or has to end.
    private let spareArrival = DispatchSemaphore(value: 0)
    /// The threads that have not ended, those with abandoned jobs among them.
    private let threads = DispatchGroup()

    /// Some decoders need a large stack. Pages of a stack that are never touched take no memory.
    private static let stackSize = 4 << 20
    /// The time after which a worker tries again to start missing threads.
    private static let retryInterval = Duration.milliseconds(100)

    /// - Parameter startThread: starts a thread; returns false if the system has none to give.
    init(
        startingWith startThread: @escaping BlockingThreads.Start = {
            DetachedThread.start(named: $0, stackSize: RenderWorker.stackSize, $1)
        }
    ) {
        self.startThread = startThread
    }

    /// Whether a thread that has ended an abandoned job waits until the worker needs it.
    var hasSpareThread: Bool { state.withLock { $0.hasSpareThread } }

    /// Starts a thread, or takes the spare one, which runs sooner: where all processors are busy, a new thread may wait
    /// for tens of milliseconds before it runs. The thread calls `run` with each job. `run` does the job and returns
    /// what the thread does next.
    func start(named name: String, run: @escaping Run) {
        let hasSpareThread: Bool? = state.withLock { state in
            guard !state.isLeaving else { return nil }
            defer { state.hasSpareThread = false }
            // The thread counts before the lock is released. Otherwise `waitForExit` might not wait for it.
            if !state.hasSpareThread { threads.enter() }
            return state.hasSpareThread
        }
        guard let hasSpareThread else { return }
        guard !hasSpareThread else {
            spareArrival.signal()
            return
        }
        let hasStarted = startThread(name) { [self] in
            runJobs(run)
            threads.leave()
        }
        guard !hasStarted else { return }
        threads.leave()
        replace(MissingThread(name: name, run: run))
    }

    /// Takes the spare thread in place of one that the system had not to give. A thread may have become the spare one
    /// while the system was asked. If there is none, the worker asks the system again after a while.
    private func replace(_ missing: MissingThread) {
        let hasSpareThread: Bool? = state.withLock { state in
            guard !state.isLeaving else { return nil }
            defer { state.hasSpareThread = false }
            if !state.hasSpareThread { state.missingThreads.append(missing) }
            return state.hasSpareThread
        }
        guard let hasSpareThread else { return }
        guard !hasSpareThread else {
            spareArrival.signal()
            return
        }
        AlarmClock.shared.ring(at: .now.advanced(by: Self.retryInterval)) { [weak self] in
            self?.startMissingThreads()
        }
    }

    private func startMissingThreads() {
        let missing = state.withLock { state in
            defer { state.missingThreads = [] }
            return state.missingThreads
        }
        for thread in missing { start(named: thread.name, run: thread.run) }
    }

    private func runJobs(_ run: Run) {
        while let first = nextAssignment() {
            var step = Step.run(first)
            while case .run(let assignment) = step { step = run(assignment) }
            if case .leave = step, !becomesNeeded() { return }
        }
    }

    /// Lets a thread whose job was abandoned wait until the worker needs a thread again.
    ///
    /// - Returns: whether it is the worker's thread now. If not, it has to end: there is a spare thread already, or the
    ///   worker ends.
    private func becomesNeeded() -> Bool {
        // The missing thread is returned, so that its closure is destroyed after the lock is released.
        let (isNeeded, _) = state.withLock { state -> (Bool?, MissingThread?) in
            if let missing = state.missingThreads.popLast() { return (true, missing) }
            if state.isLeaving || state.hasSpareThread { return (false, nil) }
            state.hasSpareThread = true
            return (nil, nil)
        }
        if let isNeeded { return isNeeded }
        spareArrival.wait()
        return state.withLock { !$0.isLeaving }
    }

    func hand(_ assignment: RenderAssignment) {
        state.withLock { $0.assignments.append(assignment) }
        arrival.signal()
    }

    /// Lets the thread, if it is idle, help with another worker's render until it gets an assignment of its own.
    ///
    /// - Returns: whether the thread was idle and helps now.
    func assist(_ work: @escaping Assistance) -> Bool {
        let isIdle = state.withLock { state in
            guard state.isIdle, state.assignments.isEmpty, !state.isLeaving else { return false }
            (state.assistance, state.isIdle) = (work, false)
            return true
        }
        if isIdle { arrival.signal() }
        return isIdle
    }

    /// Ends the worker's threads once they have finished the jobs handed to them.
    func exit() {
        // The missing threads are returned, so that their closures are destroyed after the lock is released.
        let (hasSpareThread, _) = state.withLock { state in
            state.isLeaving = true
            defer { (state.hasSpareThread, state.missingThreads) = (false, []) }
            return (state.hasSpareThread, state.missingThreads)
        }
        arrival.signal()
        if hasSpareThread { spareArrival.signal() }
    }

    /// Waits until all threads of the worker have ended. None of these threads may call this.
    func waitForExit() { threads.wait() }

    private func nextAssignment() -> RenderAssignment? {
        while true {
            state.withLock { $0.isIdle = true }
            arrival.wait()
            let (assistance, assignment, isLeaving) = state.withLock { state in
                defer { (state.assistance, state.isIdle) = (nil, false) }
                let assignment = state.assignments.isEmpty ? nil : state.assignments.removeFirst()
                return (state.assistance, assignment, state.isLeaving)
            }
            // Calls `assistance`, which helps with another worker's render. From time to time, `assistance` asks the
            // closure in braces whether this worker is wanted elsewhere. The closure returns true if this worker has an
            // assignment of its own or has to end. `assistance` then returns at once.
            assistance? { assignment != nil || state.withLock { !$0.assignments.isEmpty || $0.isLeaving } }
            if let assignment { return assignment }
            if isLeaving { return nil }
        }
    }
}
