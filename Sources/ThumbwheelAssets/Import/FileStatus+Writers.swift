#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FileStatus {
    /// Returns whether some process has the file at a path open for writing. The system reports this only for files of
    /// the process's own user, and not in every file system. If it does not report it, the result is false.
    static func isOpenForWriting(_ path: String) -> Bool {
        #if os(Linux)
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        // The file is open for writing if the system refuses a read lease on it. While this process holds the lease,
        // the system sends it a signal if another process opens the file for writing. The default signal, SIGIO, would
        // end this process. So SIGURG is chosen, which is ignored by default.
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
    // The commands `F_SETLEASE` and `F_SETSIG` of fcntl(2). The system's headers declare them only if `_GNU_SOURCE` is
    // defined. Their values are the same on all processors that Swift supports.
    private static let leaseCommand: Int32 = 1024
    private static let leaseSignalCommand: Int32 = 10
    #endif
}
