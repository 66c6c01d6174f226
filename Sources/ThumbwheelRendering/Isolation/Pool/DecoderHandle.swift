#if os(Linux)
import CIsolation
import Glibc
import ThumbwheelLocks

/// The host's handle of one decoder process. The process is killed when the last reference to this object is gone.
final class DecoderHandle: Sendable {
    let socket: MessageSocket
    /// The identifier of the decoder process (pid).
    let processIdentifier: Int
    let containment: Containment
    private let process: PassedDescriptor
    private let sharedWindow = Mutex<SharedWindow?>(nil)

    init(socket: MessageSocket, process: PassedDescriptor, processIdentifier: Int, containment: Containment) {
        self.socket = socket
        self.process = process
        self.processIdentifier = processIdentifier
        self.containment = containment
    }

    deinit {
        kill()
    }

    /// The memory in which the host places bytes of files for this process. It is made when a job needs it for the
    /// first time. Nil if the system has no memory for it.
    var window: SharedWindow? {
        sharedWindow.withLock { window in
            if window == nil { window = SharedWindow() }
            return window
        }
    }

    /// Whether the process ends within `milliseconds`.
    func hasEnded(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: process.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Gives up the window, so that another thread can unmap it. The job's thread would take longer for that than for
    /// everything else that it does after the end of a process.
    func takeWindow() -> SharedWindow? { sharedWindow.withLock { $0.take() } }

    /// Lets a thread that waits for the process's messages go on at once, and ends the process. The process itself may
    /// take some milliseconds to give its memory back.
    ///
    /// The connection is shut down first. The waiting thread may have to run on the processor that the process occupies.
    /// The kernel interrupts a process at any time while it computes, but not while it gives its memory back, unless the
    /// kernel was built or started for full preemption.
    func kill() {
        socket.shutDown()
        tw_pidfd_kill(process.rawValue)
    }
}
#endif
