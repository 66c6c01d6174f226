#if os(Linux)
import Glibc
import ThumbwheelCore
import ThumbwheelLocks

/// One job in a decoder process: from the job's message to the images, or to the end of the process.
final class DecodeErrand: Sendable {
    private enum Progress {
        case running
        case ended
        /// The process was killed, for this reason.
        case killed(DecoderEnd)
    }

    private let handle: DecoderHandle
    // Closes the race between the end of a job and its cancellation. A process that has another job already must not be
    // killed.
    private let progress = Mutex(Progress.running)

    init(_ handle: DecoderHandle) {
        self.handle = handle
    }

    /// Kills the process, unless the job has ended. May be called by any thread.
    func kill(because end: DecoderEnd) {
        progress.withLock { progress in
            guard case .running = progress else { return }
            progress = .killed(end)
            handle.kill()
        }
    }

    /// Ends the errand. After that, the process is not killed any more.
    ///
    /// - Returns: the reason why the process has been killed; nil if it has not.
    func end() -> DecoderEnd? {
        progress.withLock { progress in
            if case .killed(let end) = progress { return end }
            progress = .ended
            return nil
        }
    }
}
#endif
