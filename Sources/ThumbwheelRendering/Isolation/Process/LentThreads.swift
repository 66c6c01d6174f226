#if os(Linux)
import CIsolation
import Glibc
import ThumbwheelCore
import ThumbwheelLocks

/// Additional threads of a decoder process, beside its main thread. For each of them, the host lends one of its own
/// threads; the host is the program that uses this library. The lent thread waits while the additional thread runs. So
/// both processes together use no more processors than the host has given to rendering.
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
        // Runs the work on a new thread. Meanwhile, a thread of the host (the program that uses this library) waits
        // until the descriptor `loan` is closed. The closure below owns `loan`, so `loan` is closed when the closure
        // has run and is destroyed.
        let hasStarted = DetachedThread.start(named: "assistant") { [self] in
            work {
                var entry = pollfd(fd: loan.rawValue, events: Int16(POLLIN), revents: 0)
                return poll(&entry, 1, 0) != 0
            }
            noteEnd()
        }
        if !hasStarted { noteEnd() }
        return hasStarted
    }

    /// Waits until all additional threads have ended. If one of them continued after the end of the job, it could ask
    /// the host for bytes of the file although the job is over.
    func waitForEnds() {
        while runningCount.withLock({ $0 > 0 }) { ending.wait(until: nil) }
    }

    private func noteEnd() {
        runningCount.withLock { $0 -= 1 }
        ending.raise()
    }
}
#endif
