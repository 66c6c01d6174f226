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
/// Who is killed while writing leaves the file beside, which the next to write takes over. Several who write at once do
/// so one after another, in one process or in several.
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
    ///
    /// - Parameter check: is given the path of a file, and throws where that is none to rely on. The new one is asked after
    ///   it was made to last, so that it is read and not remembered; the old one is kept only if it, too, can be relied on.
    func commit(
        checking check: (_ path: String, _ isNew: Bool) throws(LibraryFileError) -> Void
    ) throws(LibraryFileError) {
        guard fsync(descriptor) == 0 else { throw .unwritable(path: besidePath, code: errno) }
        #if !canImport(Darwin)
        // What was written is not to be read from memory. Where this cannot be had, it is checked as far as it can be.
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        #endif
        try check(besidePath, true)
        try keepPrevious(checking: check)
        guard rename(besidePath, path) == 0 else {
            let code = errno
            // Where it could not be given a second name, the old one has only the other.
            if access(path, F_OK) != 0 { rename(previousPath, path) }
            throw .unwritable(path: path, code: code)
        }
        isCommitted = true
        syncFolder()
    }

    /// Gives the file that is there a second name, in one step in the place of what had that name: it is never without one.
    private func keepPrevious(
        checking check: (_ path: String, _ isNew: Bool) throws(LibraryFileError) -> Void
    ) throws(LibraryFileError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        do throws(LibraryFileError) {
            try check(path, false)
        } catch .cancelled {
            throw .cancelled
        } catch {
            // Damaged: what was kept before is better.
            return
        }
        let linkPath = previousPath + ".linking"
        unlink(linkPath)
        if link(path, linkPath) == 0 {
            let result = rename(linkPath, previousPath)
            let code = errno
            // Of two names of one file, as after a loss of power, neither takes the other's place.
            unlink(linkPath)
            guard result == 0 else { throw .unwritable(path: previousPath, code: code) }
            return
        }
        let code = errno
        // On a file system without second names there is a moment without the file; it is there as the previous one then.
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
