import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is written beside another and takes its place when it is complete: at any moment there is the old one or
/// the new one, whole. The old one is kept under another name.
///
/// A process that is killed while writing leaves the file beside, which the next writer takes over. Several writers
/// take turns, in one process or in several.
final class ReplacementFile {
    private let path: String
    private let besidePath: String
    private let previousPath: String
    private let descriptor: Int32
    private var isCommitted = false

    init(replacing path: String) throws(LibraryFileError) {
        // A link stays one: what it leads to is replaced.
        self.path = (try? FileStatus.canonicalPath(path)) ?? path
        besidePath = self.path + ".saving"
        previousPath = self.path + ".previous"
        descriptor = try Self.lockedFile(at: besidePath)
        guard ftruncate(descriptor, 0) == 0 else { throw .unwritable(path: besidePath, code: errno) }
        var status = stat()
        // Who could not read the old file is not to read the new one.
        if stat(self.path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
    }

    deinit {
        // Before the lock goes with the descriptor: what lies at the path after that is another's.
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
            // While this one waited, another has put the very file in place, or taken it away.
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

    /// Puts the file in the place of the other. What is there after a loss of power is one of the two as well.
    /// - Parameter check: receives the path of a file, and throws if that file is not reliable. It checks the new file
    ///   after the file was made durable, so that it reads the disk and not memory. The old file is kept only if it
    ///   passes as well.
    func commit(
        checking check: (_ path: String, _ isNew: Bool) throws(LibraryFileError) -> Void
    ) throws(LibraryFileError) {
        guard fsync(descriptor) == 0 else { throw .unwritable(path: besidePath, code: errno) }
        #if !canImport(Darwin)
        // Drops the file from memory, so that the check reads the disk; where this fails, the check still runs.
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        #endif
        try check(besidePath, true)
        try keepPrevious(checking: check)
        guard rename(besidePath, path) == 0 else {
            let code = errno
            // If the old file could get no second name, `keepPrevious` has renamed it: give it its name back.
            if access(path, F_OK) != 0 { rename(previousPath, path) }
            throw .unwritable(path: path, code: code)
        }
        isCommitted = true
        syncFolder()
    }

    /// Gives the existing file its second name. One rename replaces the file that had that name, so there is never a
    /// moment without one.
    private func keepPrevious(
        checking check: (_ path: String, _ isNew: Bool) throws(LibraryFileError) -> Void
    ) throws(LibraryFileError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        do throws(LibraryFileError) {
            try check(path, false)
        } catch {
            switch error {
            // The existing file is damaged: the one that was kept before is better.
            case .truncated, .damaged, .malformed, .notALibrary: return
            // A file of a later version is sound, and may be all that there is of that library.
            case .newerVersion: break
            // Nobody knows: it must not be lost to a descriptor that is missing for a moment.
            default: throw error
            }
        }
        let linkPath = previousPath + ".linking"
        unlink(linkPath)
        if link(path, linkPath) == 0 {
            let result = rename(linkPath, previousPath)
            let code = errno
            // After a loss of power, both names may lead to one file: renaming does nothing then and leaves the extra
            // name.
            unlink(linkPath)
            guard result == 0 else { throw .unwritable(path: previousPath, code: code) }
            return
        }
        let code = errno
        // Without hard links, there is a moment without the file at its path; it then exists under the previous name.
        guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV].contains(code), rename(path, previousPath) == 0 else {
            throw .unwritable(path: previousPath, code: code)
        }
    }

    /// Makes the new name last. Not every file system can; the file is in place either way.
    private func syncFolder() {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "./"
        let descriptor = open(String(folder), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
