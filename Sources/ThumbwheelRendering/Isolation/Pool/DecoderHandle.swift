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

    /// Ends the process, and lets a thread that waits for its messages go on at once. The process itself may take some
    /// milliseconds to give its memory back.
    func kill() {
        tw_pidfd_kill(process.rawValue)
        socket.shutDown()
    }
}
#endif
