import Dispatch
import Foundation
import ThumbwheelLocks

/// A thread that runs the jobs handed to it, one after another.
final class RenderWorker: Sendable {
    typealias Assistance = @Sendable (_ isWantedElsewhere: () -> Bool) -> Void

    private struct State {
        var assignment: RenderAssignment?
        var assistance: Assistance?
        /// Whether the thread is idle: it waits for an assignment, or for another worker's render to help with.
        var isIdle = false
        var isLeaving = false
    }

    private let state = Mutex(State())
    /// Signalled once for each change of `state` that the thread has to notice. The thread need not be waiting at that
    /// moment.
    private let arrival = DispatchSemaphore(value: 0)
    private let departure = DispatchSemaphore(value: 0)

    /// Starts the thread. It calls `run` with each job. `run` does the job and returns the next one for this worker to
    /// run at once; nil if there is none.
    func start(named name: String, run: @escaping @Sendable (RenderAssignment) -> RenderAssignment?) {
        let thread = Thread { [self] in
            while let first = nextAssignment() {
                var assignment: RenderAssignment? = first
                while let current = assignment { assignment = run(current) }
            }
            departure.signal()
        }
        thread.name = name
        // Some decoders need a large stack. Pages of a stack that are never touched take no memory.
        thread.stackSize = 4 << 20
        thread.start()
    }

    func hand(_ assignment: RenderAssignment) {
        state.withLock { $0.assignment = assignment }
        arrival.signal()
    }

    /// Lets the thread, if it is idle, help with another worker's render until it gets an assignment of its own.
    ///
    /// - Returns: whether the thread was idle and helps now.
    func assist(_ work: @escaping Assistance) -> Bool {
        let isIdle = state.withLock { state in
            guard state.isIdle, state.assignment == nil, !state.isLeaving else { return false }
            (state.assistance, state.isIdle) = (work, false)
            return true
        }
        if isIdle { arrival.signal() }
        return isIdle
    }

    /// Ends the thread once it has finished the jobs handed to it.
    func exit() {
        state.withLock { $0.isLeaving = true }
        arrival.signal()
    }

    /// Waits until the thread has left its loop. The worker's own thread must not call this.
    func waitForExit() {
        departure.wait()
        departure.signal()
    }

    private func nextAssignment() -> RenderAssignment? {
        while true {
            state.withLock { $0.isIdle = true }
            arrival.wait()
            let (assistance, assignment, isLeaving) = state.withLock { state in
                defer { (state.assistance, state.assignment, state.isIdle) = (nil, nil, false) }
                return (state.assistance, state.assignment, state.isLeaving)
            }
            // Calls `assistance`, which helps with another worker's render. From time to time, `assistance` asks the
            // closure in braces whether this worker is wanted elsewhere. The closure returns true if this worker has an
            // assignment of its own or has to end. `assistance` then returns at once.
            assistance? { assignment != nil || state.withLock { $0.assignment != nil || $0.isLeaving } }
            if let assignment { return assignment }
            if isLeaving { return nil }
        }
    }
}
