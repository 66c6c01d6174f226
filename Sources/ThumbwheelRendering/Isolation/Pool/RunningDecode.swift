#if os(Linux)
import Glibc
import ThumbwheelCore
import ThumbwheelLocks

/// One job in a decoder process. The process can be killed as long as the job runs. A job lasts from the sending of its
/// message until its result has come or the process has ended.
final class RunningDecode: Sendable {
    private enum Progress {
        case running
        case ended
        /// The process was killed, for this reason.
        case killed(DecoderEndReason)
    }

    private let handle: DecoderHandle
    // The state of the job. Its lock closes the race between the end of the job and its cancellation: a process that
    // has another job already must not be killed.
    private let progress = Mutex(Progress.running)

    init(_ handle: DecoderHandle) {
        self.handle = handle
    }

    /// Kills the process, unless the job has ended. May be called by any thread.
    func kill(because end: DecoderEndReason) {
        let isRunning = progress.withLock { progress in
            guard case .running = progress else { return false }
            progress = .killed(end)
            return true
        }
        // The process is killed outside the lock, so that the job's thread, which the call wakes, does not wait for the
        // lock. No other job can get the process in between, because `end` reports that it was killed.
        if isRunning { handle.kill() }
    }

    /// Notes that the job has ended. After that, `kill` does nothing, because the process may have another job.
    ///
    /// - Returns: the reason why the process was killed during the job; nil if it was not killed.
    func end() -> DecoderEndReason? {
        progress.withLock { progress in
            if case .killed(let end) = progress { return end }
            progress = .ended
            return nil
        }
    }
}
#endif
