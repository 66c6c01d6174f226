import Foundation

/// The right to write a file, which one process at a time has. It ends with the object, or with the process.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the right by a lock on a file beside the other one: a save puts a new file in the place of the old one, whose
    /// lock would be worth nothing then. The locked file stays, since another process may have opened it meanwhile.
    ///
    /// - Parameter path: The path of the file that is to be written.
    init(path: String) throws(CommandError) {
        let lockPath = path + ".lock"
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandError("\(lockPath) cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            guard code == EWOULDBLOCK else {
                throw CommandError("\(lockPath) cannot be locked: \(String(cString: strerror(code)))")
            }
            throw CommandError("\(path) belongs to another process, which holds \(lockPath)")
        }
        self.descriptor = descriptor
    }

    deinit {
        // A process that another thread starts may hold a copy of the descriptor for a moment, and with it the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
