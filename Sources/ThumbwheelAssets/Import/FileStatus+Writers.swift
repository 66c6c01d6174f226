#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FileStatus {
    /// Whether some process has the file at a path open for writing. False if the system cannot tell: a process learns it only of
    /// files of its own user, and not in every file system.
    static func isOpenForWriting(_ path: String) -> Bool {
        #if os(Linux)
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        // A writer that comes while the lease is held is announced by a signal. The usual one would end the process; this one is
        // ignored by default.
        guard fcntl(file, leaseSignalCommand, SIGURG) == 0 else { return false }
        if fcntl(file, leaseCommand, F_RDLCK) == 0 {
            _ = fcntl(file, leaseCommand, F_UNLCK)
            return false
        }
        return errno == EAGAIN
        #else
        return false
        #endif
    }

    #if os(Linux)
    // F_SETLEASE and F_SETSIG of fcntl(2), which headers show only to those that ask for GNU's extensions. The numbers are the same
    // on all processors that Swift knows.
    private static let leaseCommand: Int32 = 1024
    private static let leaseSignalCommand: Int32 = 10
    #endif
}
