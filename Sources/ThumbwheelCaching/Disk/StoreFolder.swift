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
    private let descriptor: Int32

    var indexPath: String { path + "/index.sqlite" }

    /// Opens the folder, and makes it if it does not exist.
    init(path: String) throws(StoreError) {
        // Parent folders that do not exist are made as well.
        var parent = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            parent += part + "/"
            mkdir(parent, 0o755)
        }
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .unusable(path: path, code: errno) }
        descriptor = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .unusable(path: path, code: errno) }
        self.path = path
        guard flock(descriptor, LOCK_SH) == 0 else { throw .unusable(path: path, code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Deletes a damaged index, so that a new one can be made in its place.
    ///
    /// - Throws: `StoreError.busy` if another process uses the store.
    func deleteIndex() throws(StoreError) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .busy }
        for suffix in ["", "-wal", "-shm"] { unlink(indexPath + suffix) }
        flock(descriptor, LOCK_SH)
    }
}
