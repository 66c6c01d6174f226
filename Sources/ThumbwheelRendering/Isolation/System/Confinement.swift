#if os(Linux)
import CIsolation
import Glibc

/// Gives up the rights of the calling process.
enum Confinement {
    /// The largest number of descriptors that a decoder process can have open at once.
    private static let descriptorLimit: UInt64 = 16

    /// The limits of a decoder process, which the kernel enforces.
    struct Limits {
        /// The number of bytes of memory that the process may take in addition to those that it has when it starts.
        var memoryByteCount: Int
        /// The largest number of bytes that the pixels of one image may take.
        var outputByteCount: Int
        /// The largest number of seconds of processor time that all jobs of the process together may take.
        var processorSeconds: Int
    }

    /// Moves the calling process into namespaces of its own and under an empty root. The process must have only one
    /// thread. The processes that it forks later have the same namespaces and root.
    static func leaveSystem() -> Containment {
        var granted = Containment()
        if tw_new_namespaces() == 0 { granted.insert(.namespaces) }
        // Makes the folder `/proc/self/fdinfo` of this process the root of all paths. The folder contains only a list
        // of the process's open descriptors, and is empty once the process has ended. The kernel allows `chroot` only
        // to the superuser and to the owner of a user namespace.
        if chroot("/proc/self/fdinfo") == 0, chdir("/") == 0 { granted.insert(.emptyRoot) }
        return granted
    }

    /// Gives up everything that decoding does not need. The process must not have read any byte of a file yet.
    ///
    /// - Parameter ownByteCount: the bytes of memory that the process has mapped already.
    static func confine(_ limits: Limits, ownByteCount: Int) -> Containment {
        // Restores the default handling of crashes. Otherwise, Swift's runtime would start a program that prints the
        // stack. The filter would end the process for that, and the host would be told the wrong signal.
        for crash in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(crash, SIG_DFL) }
        var granted = Containment()
        if tw_forbid_dumps() == 0, tw_drop_capabilities() == 0 { granted.insert(.noCapabilities) }
        let memory = ownByteCount.addingReportingOverflow(limits.memoryByteCount)
        if tw_limit_core() == 0, tw_limit_files(descriptorLimit) == 0,
            tw_limit_output(UInt64(limits.outputByteCount)) == 0,
            tw_limit_seconds(UInt64(limits.processorSeconds)) == 0,
            tw_limit_memory(memory.overflow ? .max : UInt64(memory.partialValue)) == 0
        {
            granted.insert(.resourceLimits)
        }
        if tw_no_new_privileges() == 0 { granted.insert(.noNewPrivileges) }
        if SystemCallFilter.install() { granted.insert(.callFilter) }
        return granted
    }

    /// The bytes of memory that this process has mapped; nil if the system does not tell.
    static var mappedByteCount: Int? {
        guard let text = contents(of: "/proc/self/statm"),
            let pages = text.split(separator: " ").first.flatMap({ Int($0) })
        else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The number of threads of this process; nil if the system does not tell.
    static var threadCount: Int? {
        var status = stat()
        guard stat("/proc/self/task", &status) == 0 else { return nil }
        return Int(status.st_nlink) - 2
    }

    private static func contents(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
#endif
