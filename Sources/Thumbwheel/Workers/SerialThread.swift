import Dispatch
import Foundation
import ThumbwheelCore
import ThumbwheelLocks

/// A thread that runs closures one after another, in the order in which they are submitted. The thread is started for
/// the first closure.
///
/// Submitting a closure does not interrupt the thread that submits it. Under the usual scheduling policy, the serial
/// thread could take the processor of the submitting thread for milliseconds when it wakes up. So it waits for closures
/// under the policy `batch`, and wakes up on a free processor. If all processors are busy, the closure waits until one
/// of them is free.
package final class SerialThread: Sendable {
    package typealias Closure = @Sendable () -> Void

    /// The queue of closures. The thread has a reference to it until all closures are done, even if the `SerialThread`
    /// is destroyed earlier.
    private final class Queue: Sendable {
        private struct State {
            var closures: [Closure] = []
            var hasThread = false
            var isLeaving = false
        }

        private let state = Mutex(State())
        /// Signalled once for each closure, and once when the thread has to end.
        private let arrival = DispatchSemaphore(value: 0)

        var hasThread: Bool { state.withLock { $0.hasThread } }

        func put(_ closure: @escaping Closure) {
            let isFirst = state.withLock { state in
                state.closures.append(closure)
                defer { state.hasThread = true }
                return !state.hasThread
            }
            if isFirst { startThread() }
            arrival.signal()
        }

        /// Lets the thread end when it has done all earlier closures. A later closure starts a new thread.
        func leave() {
            state.withLock { $0.isLeaving = $0.hasThread }
            arrival.signal()
        }

        private func startThread() {
            let thread = Thread { [self] in while runSubmitted() {} }
            thread.name = "thumbwheel-serial"
            thread.start()
        }

        /// Waits for closures, and runs all that have come.
        ///
        /// - Returns: whether the thread should wait for further closures; false if it has to end.
        private func runSubmitted() -> Bool {
            WakeUpPolicy.batch.apply()
            arrival.wait()
            // Returns to the usual scheduling policy before closures run. Otherwise threads that a closure starts would
            // inherit the policy `batch`, under which this thread waits for closures.
            WakeUpPolicy.normal.apply()
            let closures = state.withLock { state in
                defer { state.closures = [] }
                return state.closures
            }
            for closure in closures { closure() }
            return state.withLock { state in
                guard state.isLeaving, state.closures.isEmpty else { return true }
                (state.hasThread, state.isLeaving) = (false, false)
                return false
            }
        }
    }

    private let queue = Queue()

    package init() {}

    deinit {
        queue.leave()
    }

    package func run(_ closure: @escaping Closure) {
        queue.put(closure)
    }

    /// Waits until all closures that were given before this call are done.
    package func settle() async {
        guard queue.hasThread else { return }
        await withCheckedContinuation { continuation in run { continuation.resume() } }
    }

    /// Waits until all closures that were given before this call are done, and then lets the thread end.
    func finish() async {
        await settle()
        queue.leave()
    }
}

/// The scheduling policy of a thread, which matters when the thread wakes up while all processors are busy. With
/// `normal`, the thread can take the processor from a running thread. With `batch`, it waits until a processor is
/// free.
private enum WakeUpPolicy {
    case normal, batch

    func apply() {
        #if os(Linux)
        // Policy 3 is SCHED_BATCH; see sched(7). The number is written out, because <linux/sched.h> hides the name
        // unless a feature macro is defined.
        let policy: Int32 = self == .batch ? 3 : SCHED_OTHER
        var parameters = sched_param()
        _ = sched_setscheduler(0, policy, &parameters)
        #else
        Thread.current.qualityOfService = self == .batch ? .utility : .userInitiated
        #endif
    }
}
