#if os(Linux)
import CIsolation
import Glibc
import ThumbwheelCore
import ThumbwheelLocks

/// The host's handle of the template process, from which its decoder processes are forked. The host is the program that
/// uses this library.
///
/// Of these processes, only the template is a child of the host. The decoder processes are children of the template,
/// which waits for them (`waitpid`). So it does no harm if the host ignores SIGCHLD, or waits for all of its children
/// itself.
final class DecoderTemplate: Sendable {
    private let control: MessageSocket
    /// A pidfd, which is a descriptor that refers to the template process.
    private let process: PassedDescriptor
    /// The signals by which decoder processes have ended, keyed by process number; 0 for a process that ended by
    /// itself.
    private let ends = Mutex<[Int: Int]>([:])
    /// The number of ended processes whose signals are remembered. When there are more, all of them are forgotten,
    /// because most signals are never asked for.
    private static let endLimit = 256

    /// Starts the template process, from which the decoder processes are forked. The call takes a few microseconds. The
    /// template process is ready to fork about ten milliseconds later.
    ///
    /// - Throws: `.unavailable` if the process cannot be started.
    init(executable: String, settings: DecoderProgram.Settings) throws(RenderError) {
        guard let (own, other) = MessageSocket.pair() else { throw Self.unavailable(errno) }
        var process: pid_t = 0
        let code = Self.spawn(executable, settings.arguments, connection: other.descriptor, process: &process)
        guard code == 0 else { throw Self.unavailable(code) }
        let descriptor = tw_pidfd_open(process)
        guard descriptor >= 0 else {
            let code = errno
            // Ends the process, and collects its end. Otherwise each attempt would leave a process behind.
            kill(process, SIGKILL)
            _ = tw_collect(process)
            throw Self.unavailable(code)
        }
        self.process = PassedDescriptor(descriptor)
        control = own
    }

    deinit {
        // Kills the template. It ends by itself when its connection is closed, but not if it hangs.
        tw_pidfd_kill(process.rawValue)
        // Waits for the template's end (`waitid`) on another thread. A killed process usually ends at once, but it may
        // first have to wait for a disk.
        let process = process
        BlockingThreads.reads.run { _ = tw_pidfd_wait(process.rawValue) }
    }

    private static func unavailable(_ code: Int32) -> RenderError {
        .unavailable(reason: "the decoder's process cannot be started: \(String(cString: strerror(code)))")
    }

    /// Starts a program. The program gets no environment, and no open file except its connection. It handles all
    /// signals in the default way. It is in a process group of its own, so that a terminal's signals do not reach it.
    ///
    /// The program stays in the host's session. Linux shares processor time between sessions (`sched_autogroup_enabled`)
    /// before it does so within them: a decoder in another session could keep a worker of this program waiting for a tick
    /// of the clock, 4 ms, although the worker has hardly run.
    ///
    /// - Returns: 0, or an error number.
    private static func spawn(
        _ executable: String, _ arguments: [String], connection: Int32, process: inout pid_t
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let control = TemplateProcess.controlDescriptor
        posix_spawn_file_actions_adddup2(&actions, connection, control)
        for descriptor in Int32(0)..<3 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, control + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETPGROUP)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var words: [UnsafeMutablePointer<CChar>?] = ([DecoderProgram.name] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        return posix_spawn(&process, executable, &actions, &attributes, &words, &environment)
    }

    /// Forks a decoder process, and waits until it is ready, which takes a millisecond.
    ///
    /// - Throws: `.unavailable` if the process cannot be started.
    func makeProcess() throws(RenderError) -> DecoderHandle {
        let own = try requestProcess()
        collectEnds()
        guard let greeting = own.receive(), let descriptor = greeting.descriptor,
            case .ready(let processIdentifier, let containment)? = try? DecoderMessage(greeting.bytes[...])
        else { throw .unavailable(reason: "the decoder's process ends before it is ready") }
        return DecoderHandle(
            socket: own, process: descriptor, processIdentifier: processIdentifier, containment: containment)
    }

    /// Asks the template process to fork a decoder process, and returns this program's end of a new connection to the
    /// decoder. The decoder's end is sent to the template, and this program then closes its own copy of the decoder's
    /// end. So if the fork fails, no process has the decoder's end open, and this program notices that the connection
    /// has ended.
    private func requestProcess() throws(RenderError) -> MessageSocket {
        guard let (own, other) = MessageSocket.pair() else { throw Self.unavailable(errno) }
        let isSent = withExtendedLifetime(other) { control.send(TemplateMessage.request, with: other.descriptor) }
        guard isSent else { throw Self.unavailable(EPIPE) }
        return own
    }

    /// Returns the signal that ended a decoder process; 0 if the process ended by itself. Returns nil if the template
    /// does not report the end of the process within a time.
    func signal(ofEnded number: Int, within milliseconds: Int) -> Int? {
        for _ in 0..<max(1, milliseconds / 10) {
            collectEnds()
            if let signal = ends.withLock({ $0.removeValue(forKey: number) }) { return signal }
            control.waitForMessage(milliseconds: 10)
        }
        return nil
    }

    private func collectEnds() {
        ends.withLock { ends in
            while let message = control.receive(waits: false) {
                guard case .ended(let process, let signal)? = try? TemplateMessage(message.bytes[...]) else { continue }
                if ends.count >= Self.endLimit { ends.removeAll() }
                ends[process] = signal
            }
        }
    }
}
#endif
