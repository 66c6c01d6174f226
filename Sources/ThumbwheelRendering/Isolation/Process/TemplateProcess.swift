#if os(Linux)
import CIsolation
import CVips
import Glibc

/// The process from which all decoder processes of a host are forked. The host is the program that uses this library.
///
/// The template loads libvips and the libraries below it once, which takes fifty milliseconds and thirty megabytes. A
/// fork of the template starts in a millisecond and shares the memory of these libraries. The template never reads a
/// byte of a file that is to be decoded. It has one thread, because a fork of a process with several threads would have
/// locks that nobody releases.
struct TemplateProcess {
    private let settings: DecoderProgram.Settings
    private let work: DecoderProgram.Work

    /// The number of the descriptor under which a process finds its connection to the host. It is the same in the
    /// template and in every decoder process.
    static let controlDescriptor: Int32 = 3

    private struct Child {
        let process: pid_t
        /// A descriptor that refers to the process (pidfd). `poll` reports it as readable once the process has ended.
        let descriptor: PassedDescriptor
    }

    init(_ settings: DecoderProgram.Settings, work: @escaping DecoderProgram.Work) {
        self.settings = settings
        self.work = work
    }

    func run() -> Never {
        // With long slices of processor time, the template does not run before threads of the host that have just woken
        // up, such as the worker whose decode was cancelled: the kernel does not interrupt a fork, unless the kernel was
        // built or started for full preemption.
        _ = tw_set_slice(100_000_000)
        let control = MessageSocket(descriptor: Self.controlDescriptor)
        Self.warmUp()
        guard Confinement.threadCount == 1, let mapped = Confinement.mappedByteCount else { _exit(70) }
        let granted = Confinement.leaveSystem()
        var children: [Child] = []
        while true {
            var entries = [pollfd(fd: control.descriptor, events: Int16(POLLIN), revents: 0)]
            entries += children.map { pollfd(fd: $0.descriptor.rawValue, events: Int16(POLLIN), revents: 0) }
            guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
            for (child, entry) in zip(children, entries.dropFirst()) where entry.revents != 0 {
                let message = TemplateMessage.ended(
                    process: Int(child.process), signal: Int(tw_collect(child.process)))
                control.send(message.bytes, waits: false)
            }
            children = zip(children, entries.dropFirst()).filter { $0.1.revents == 0 }.map(\.0)
            guard entries[0].revents != 0 else { continue }
            // Ends the template if the host has closed the connection or has ended. The decoder processes are not
            // needed any more, and the kernel kills them when the template ends.
            guard let request = control.receive() else { _exit(0) }
            guard let connection = request.descriptor else { continue }
            if let child = fork(connection, granted: granted, mappedByteCount: mapped) { children.append(child) }
        }
    }

    /// Forks a decoder process. Nil if the system has no process or descriptor left. The connection is then closed,
    /// which the host notices.
    private func fork(_ connection: PassedDescriptor, granted: Containment, mappedByteCount: Int) -> Child? {
        let template = getpid()
        let process = tw_fork()
        guard process == 0 else {
            guard process > 0 else { return nil }
            let descriptor = tw_pidfd_open(process)
            guard descriptor >= 0 else {
                kill(process, SIGKILL)
                _ = tw_collect(process)
                return nil
            }
            return Child(process: process, descriptor: PassedDescriptor(descriptor))
        }
        // Asks the kernel to kill this process when the template ends. If the template has ended before that request,
        // this process has another parent by now and ends itself.
        guard tw_die_with_parent() == 0, getppid() == template,
            dup2(connection.rawValue, Self.controlDescriptor) == Self.controlDescriptor,
            tw_close_from(Self.controlDescriptor + 1) == 0
        else { _exit(71) }
        // A decoder has usual slices. With long ones it would wait longer for the processor on a busy machine.
        _ = tw_set_slice(0)
        let own = tw_pidfd_open(getpid())
        guard own >= 0 else { _exit(72) }
        let limits = Confinement.Limits(
            memoryByteCount: settings.memoryByteCount, outputByteCount: settings.outputByteCount,
            processorSeconds: settings.processorSeconds)
        let all = granted.union(Confinement.confine(limits, ownByteCount: mappedByteCount))
        DecoderProcess(MessageSocket(descriptor: Self.controlDescriptor), render: work)
            .serve(containment: all, processDescriptor: own)
    }

    /// Loads and initialises everything that a decoder would otherwise load when it needs it, because a decoder process
    /// cannot open files.
    private static func warmUp() {
        try? VipsRuntime.require()
        // Forbids libvips to compile loops at run time. Compiled loops need executable memory, which a decoder process
        // may not have.
        vips_vector_set_enabled(0)
        WarmUp.run()
    }
}
#endif
