import Dispatch
import Foundation
import ThumbwheelCore

/// A thread that does errands one after another, in the order in which they are given.
///
/// It never takes the processor from the thread that gives them, as a thread that wakes up otherwise may, for milliseconds
/// where all processors are busy: whoever scrolls goes on, and the errand is done when that thread rests or another
/// processor is free.
package final class ErrandThread: Sendable {
    package typealias Errand = @Sendable () -> Void

    /// Outlives the owner until its thread has done all that it was given.
    private final class Mailbox: Sendable {
        private struct State {
            var errands: [Errand] = []
            var hasThread = false
            var isLeaving = false
        }

        private let state = Mutex(State())
        /// One signal for each piece of mail.
        private let arrival = DispatchSemaphore(value: 0)

        func put(_ errand: @escaping Errand) {
            let isFirst = state.withLock { state in
                state.errands.append(errand)
                defer { state.hasThread = true }
                return !state.hasThread
            }
            if isFirst { startThread() }
            arrival.signal()
        }

        func leave() {
            state.withLock { $0.isLeaving = true }
            arrival.signal()
        }

        private func startThread() {
            let thread = Thread { [self] in
                Self.yieldToOthers()
                while takeMail() {}
            }
            thread.name = "thumbwheel-grid"
            thread.start()
        }

        /// - Returns: whether there may be more.
        private func takeMail() -> Bool {
            arrival.wait()
            let (errands, isLeaving) = state.withLock { state in
                defer { state.errands = [] }
                return (state.errands, state.isLeaving)
            }
            for errand in errands { errand() }
            return !isLeaving
        }

        /// Has the calling thread never displace another by waking up (sched(7), `SCHED_BATCH`).
        private static func yieldToOthers() {
            #if os(Linux)
            // By its number in <linux/sched.h>: the name is behind a feature macro.
            let batch: Int32 = 3
            var parameters = sched_param()
            _ = sched_setscheduler(0, batch, &parameters)
            #else
            Thread.current.qualityOfService = .utility
            #endif
        }
    }

    private let mailbox = Mailbox()

    /// The thread itself begins with the first errand.
    package init() {}

    deinit {
        mailbox.leave()
    }

    package func run(_ errand: @escaping Errand) {
        mailbox.put(errand)
    }

    /// Returns when all errands that were given before are done.
    package func settle() async {
        await withCheckedContinuation { continuation in run { continuation.resume() } }
    }
}
