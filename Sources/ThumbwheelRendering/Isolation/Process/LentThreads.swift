#if os(Linux)
import CIsolation
import Glibc
import ThumbwheelCore
import ThumbwheelLocks

/// Second threads of a decoder process. Each of them runs only while a thread of the host is idle in its place, so that
/// decoders do not take more processors than the host has given to rendering.
final class LentThreads: RenderAssistants {
    private let connection: HostConnection
    private let runningCount = Mutex(0)
    private let ending = TimedSignal()

    init(_ connection: HostConnection) {
        self.connection = connection
    }

    func start(_ work: @escaping @Sendable (_ isWantedElsewhere: () -> Bool) -> Void) -> Bool {
        guard let (answer, loan) = connection.ask(.wantsAssistance), answer == .assist, let loan else { return false }
        runningCount.withLock { $0 += 1 }
        // The loan ends when its descriptor is closed, which happens when this closure is destroyed.
        let hasStarted = DetachedThread.start(named: "assistant") { [self] in
            work {
                var entry = pollfd(fd: loan.number, events: Int16(POLLIN), revents: 0)
                return poll(&entry, 1, 0) != 0
            }
            noteEnd()
        }
        if !hasStarted { noteEnd() }
        return hasStarted
    }

    /// Waits until all second threads have ended, so that none of them asks the host for bytes after its job.
    func waitForEnds() {
        while runningCount.withLock({ $0 > 0 }) { ending.wait(until: nil) }
    }

    private func noteEnd() {
        runningCount.withLock { $0 -= 1 }
        ending.raise()
    }
}
#endif
