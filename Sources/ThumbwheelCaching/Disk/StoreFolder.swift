#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The folder of a store, and a lock by which a process can find out whether it is the only one that uses the store.
final class StoreFolder: Sendable {
    let path: String
    /// Whether nothing can be written to the folder: its file system is read-only, or the folder belongs to somebody else.
    let isReadOnly: Bool
    private let descriptor: Int32

    var indexPath: String { path + "/index.sqlite" }
    private var lockPath: String { path + "/lock" }

    /// Opens the folder, and makes it if it does not exist. A folder that cannot be written is opened if it has been a store
    /// before. Only the user of the process may read what is new in it, since images tell of photographs that nobody else may
    /// be allowed to see.
    init(path: String) throws(StoreError) {
        // Parent folders that do not exist are made as well.
        var parent = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            parent += part + "/"
            mkdir(parent, 0o755)
        }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .unusable(path: path, code: errno) }
        var descriptor = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        isReadOnly = descriptor < 0 && (errno == EROFS || errno == EACCES)
        if isReadOnly { descriptor = open(path + "/lock", O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .unusable(path: path, code: errno) }
        (self.path, self.descriptor) = (path, descriptor)
        try share()
    }

    deinit {
        // A process that another thread starts may hold a copy of the descriptor for a moment, and with it the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Whether the file system of the folder is read-only, so that nobody on this machine can write to the folder.
    var isOnReadOnlyFileSystem: Bool {
        var facts = statvfs()
        return fstatvfs(descriptor, &facts) == 0 && facts.f_flag & UInt(ST_RDONLY) != 0
    }

    /// Whether the path no longer leads to this folder, or the folder has been emptied.
    var hasMoved: Bool {
        var (opened, present) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, stat(lockPath, &present) == 0 else { return true }
        return opened.st_dev != present.st_dev || opened.st_ino != present.st_ino
    }

    // MARK: The lock

    /// Takes the lock that all processes which use the store hold together. Waits for a process that uses the store
    /// alone.
    func share() throws(StoreError) {
        guard flock(descriptor, LOCK_SH) == 0 else { throw .unusable(path: path, code: errno) }
    }

    /// Takes the lock alone, until `share`.
    ///
    /// - Throws: `StoreError.busy` if another process uses the store, and `.readOnly` if nothing can be changed. This
    ///   process then no longer holds the lock, so that of several processes that want to be alone one succeeds.
    func claim() throws(StoreError) {
        guard !isReadOnly else { throw .readOnly }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            flock(descriptor, LOCK_UN)
            throw .busy
        }
    }

    /// Deletes a damaged index, so that a new one can be made in its place. The process must be alone.
    func deleteIndex() {
        for suffix in ["", "-wal", "-shm"] { unlink(indexPath + suffix) }
    }
}
