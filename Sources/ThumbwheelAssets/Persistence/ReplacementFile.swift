import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is written under a temporary name and then replaces an existing file. At any moment, the complete old file
/// or the complete new file exists. The old file is kept under another name.
///
/// A process that is killed while writing leaves the temporary file behind, and the next writer reuses it. Several
/// writers, in one process or in several, take turns.
final class ReplacementFile {
    private let path: String
    private let besidePath: String
    private let previousPath: String
    private let descriptor: Int32
    private var isCommitted = false

    init(replacing path: String) throws(LibraryFileError) {
        // If the path is a symbolic link, the link stays, and the file that it leads to is replaced.
        self.path = (try? FileStatus.canonicalPath(path)) ?? path
        besidePath = self.path + ".saving"
        previousPath = self.path + ".previous"
        descriptor = try Self.lockedFile(at: besidePath)
        guard ftruncate(descriptor, 0) == 0 else { throw .unwritable(path: besidePath, code: errno) }
        var status = stat()
        // The new file gets the permissions of the old file, so that users who could not read the old file cannot read
        // the new one.
        if stat(self.path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
    }

    deinit {
        // The temporary file is removed before its descriptor is closed. Closing releases the lock, and after that the
        // path may hold another writer's file.
        if !isCommitted { unlink(besidePath) }
        close(descriptor)
    }

    private static func lockedFile(at path: String) throws(LibraryFileError) -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
            guard descriptor >= 0 else { throw .unwritable(path: path, code: errno) }
            while flock(descriptor, LOCK_EX) != 0 {
                let code = errno
                if code == EINTR { continue }
                close(descriptor)
                throw .unwritable(path: path, code: code)
            }
            if isFile(descriptor, at: path) { return descriptor }
            // While this writer waited for the lock, another writer moved the locked file into place or removed it, so
            // this writer tries again.
            close(descriptor)
        }
    }

    private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var (own, there) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && lstat(path, &there) == 0
            && own.st_dev == there.st_dev && own.st_ino == there.st_ino
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(LibraryFileError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .unwritable(path: besidePath, code: count < 0 ? errno : EIO) }
            done += count
        }
    }

    /// Replaces the old file by the new one. Even after a loss of power, the path holds one of the two, complete. On a
    /// file system without hard links, it may hold neither; the old file then has its second name.
    /// - Parameter check: receives the path of a file, and throws if that file is not reliable. The new file is checked
    ///   after it was flushed to the disk, so that the check reads the disk and not memory. The old file is kept only
    ///   if it passes the check too.
    func commit(
        checking check: (_ path: String, _ isNew: Bool) throws(LibraryFileError) -> Void
    ) throws(LibraryFileError) {
        guard fsync(descriptor) == 0 else { throw .unwritable(path: besidePath, code: errno) }
        #if !canImport(Darwin)
        // Drops the file from the memory cache, so that the check reads the disk; if this fails, the check still runs.
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        #endif
        try check(besidePath, true)
        try keepPrevious(checking: check)
        guard rename(besidePath, path) == 0 else {
            let code = errno
            // If the file system has no hard links, `keepPrevious` has renamed the old file. The old file gets its old
            // name back.
            if access(path, F_OK) != 0 { rename(previousPath, path) }
            throw .unwritable(path: path, code: code)
        }
        isCommitted = true
        syncFolder()
    }

    /// Gives the existing file, if it is not damaged, a second name ending in `.previous`. A single rename replaces the
    /// file that had this name before, so a previous file exists at every moment.
    private func keepPrevious(
        checking check: (_ path: String, _ isNew: Bool) throws(LibraryFileError) -> Void
    ) throws(LibraryFileError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        do throws(LibraryFileError) {
            try check(path, false)
        } catch {
            switch error {
            // The existing file is damaged, so the file that was kept before is better and stays.
            case .truncated, .damaged, .malformed, .notALibrary: return
            // A file of a later version is intact, and may be the only copy of that library.
            case .newerVersion: break
            // It is unknown whether the existing file is damaged. Saving fails, because a temporary error, such as a
            // lack of file descriptors, must not cost a good file.
            default: throw error
            }
        }
        let linkPath = previousPath + ".linking"
        unlink(linkPath)
        if link(path, linkPath) == 0 {
            let result = rename(linkPath, previousPath)
            let code = errno
            // After an earlier save lost power, `path` and `previousPath` may lead to the same file, as `linkPath` then
            // does too. Renaming then does nothing and leaves `linkPath`, which is removed here.
            unlink(linkPath)
            guard result == 0 else { throw .unwritable(path: previousPath, code: code) }
            return
        }
        let code = errno
        // Without hard links, the old file is renamed instead. Until the new file takes its place, the path holds no
        // file, and the old file exists only under its second name.
        guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV].contains(code), rename(path, previousPath) == 0 else {
            throw .unwritable(path: previousPath, code: code)
        }
    }

    /// Flushes the folder to the disk, so that the new name survives a loss of power. Not every file system supports
    /// this; the file is in place in either case.
    private func syncFolder() {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "./"
        let descriptor = open(String(folder), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
