import Dispatch
import Foundation
import ThumbwheelCore
import ThumbwheelLocks

/// A thread that runs closures, called errands, one after another in the order in which they are submitted. The thread
/// is started for the first errand.
///
/// The thread that submits an errand keeps its processor. Under the usual scheduling policy, the errand thread could
/// take that processor for milliseconds when it wakes up. So the errand thread waits for errands under a policy that
/// prevents this. If all processors are busy, the errand waits until one of them is free.
package final class ErrandThread: Sendable {
    package typealias Errand = @Sendable () -> Void

    /// The queue of errands. The thread has a reference to it until all errands are done, even if the `ErrandThread` is
    /// destroyed earlier.
    private final class Mailbox: Sendable {
        private struct State {
            var errands: [Errand] = []
            var hasThread = false
            var isLeaving = false
        }

        private let state = Mutex(State())
        /// Signalled once for each errand, and once when the thread has to end.
        private let arrival = DispatchSemaphore(value: 0)

        var hasThread: Bool { state.withLock { $0.hasThread } }

        func put(_ errand: @escaping Errand) {
            let isFirst = state.withLock { state in
                state.errands.append(errand)
                defer { state.hasThread = true }
                return !state.hasThread
            }
            if isFirst { startThread() }
            arrival.signal()
        }

        /// Lets the thread end when it has done all earlier errands. A later errand starts a new thread.
        func leave() {
            state.withLock { $0.isLeaving = $0.hasThread }
            arrival.signal()
        }

        private func startThread() {
            let thread = Thread { [self] in while takeMail() {} }
            thread.name = "thumbwheel-errands"
            thread.start()
        }

        /// Waits for errands, and runs all that have come.
        ///
        /// - Returns: whether the thread should wait for further errands; false if it has to end.
        private func takeMail() -> Bool {
            WakeUpPolicy.batch.apply()
            arrival.wait()
            // Returns to the usual scheduling policy before errands run. While this thread waits, it has the policy
            // `batch`, under which it wakes up without interrupting another thread. Threads that an errand starts
            // would inherit that policy.
            WakeUpPolicy.normal.apply()
            let errands = state.withLock { state in
                defer { state.errands = [] }
                return state.errands
            }
            for errand in errands { errand() }
            return state.withLock { state in
                guard state.isLeaving, state.errands.isEmpty else { return true }
                (state.hasThread, state.isLeaving) = (false, false)
                return false
            }
        }
    }

    private let mailbox = Mailbox()

    package init() {}

    deinit {
        mailbox.leave()
    }

    package func run(_ errand: @escaping Errand) {
        mailbox.put(errand)
    }

    /// Waits until all errands that were given before this call are done.
    package func settle() async {
        guard mailbox.hasThread else { return }
        await withCheckedContinuation { continuation in run { continuation.resume() } }
    }

    /// Waits until all errands that were given before this call are done, and then lets the thread end.
    func finish() async {
        await settle()
        mailbox.leave()
    }
}

/// The scheduling policy of a thread, which matters when the thread wakes up while all processors are busy. With
/// `normal`, the thread can take the processor from a running thread. With `batch`, it waits until a processor is
/// free.
private enum WakeUpPolicy {
    case normal, batch

    func apply() {
        #if os(Linux)
        // Policy 3 is SCHED_BATCH; see sched(7). Its name in <linux/sched.h> is not visible here without a feature
        // macro.
        let policy: Int32 = self == .batch ? 3 : SCHED_OTHER
        var parameters = sched_param()
        _ = sched_setscheduler(0, policy, &parameters)
        #else
        Thread.current.qualityOfService = self == .batch ? .utility : .userInitiated
        #endif
    }
}
