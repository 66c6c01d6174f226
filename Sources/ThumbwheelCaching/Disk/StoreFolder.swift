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

    /// Opens the folder, and makes it if it does not exist. A folder that cannot be written is opened if it has been a store
    /// before.
    init(path: String) throws(StoreError) {
        // Parent folders that do not exist are made as well.
        var parent = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            parent += part + "/"
            mkdir(parent, 0o755)
        }
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .unusable(path: path, code: errno) }
        var descriptor = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        isReadOnly = descriptor < 0 && (errno == EROFS || errno == EACCES)
        if isReadOnly { descriptor = open(path + "/lock", O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .unusable(path: path, code: errno) }
        (self.path, self.descriptor) = (path, descriptor)
        guard flock(descriptor, LOCK_SH) == 0 else { throw .unusable(path: path, code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Whether the file system of the folder is read-only, so that nobody on this machine can write to the folder.
    var isOnReadOnlyFileSystem: Bool {
        var facts = statvfs()
        return fstatvfs(descriptor, &facts) == 0 && facts.f_flag & UInt(ST_RDONLY) != 0
    }

    /// Deletes a damaged index, so that a new one can be made in its place.
    ///
    /// - Throws: `StoreError.busy` if another process uses the store, and `.readOnly` if nothing can be deleted.
    func deleteIndex() throws(StoreError) {
        guard !isReadOnly else { throw .readOnly }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .busy }
        for suffix in ["", "-wal", "-shm"] { unlink(indexPath + suffix) }
        flock(descriptor, LOCK_SH)
    }
}
