#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// SIGPIPE, by which the system ends a process that writes to a socket whose other side has closed it.
package enum BrokenPipeSignal {
    /// Blocks the signal on the calling thread, so that such a write fails instead.
    package static func blockOnThisThread() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
