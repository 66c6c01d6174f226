import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is written beside another and takes its place when it is complete: at any moment there is the old one or
/// the new one, whole.
///
/// Who is killed while writing leaves the file beside, which the next to write takes over. Several who write at once do
/// so one after another, in one process or in several.
final class ReplacementFile {
    private let path: String
    private let besidePath: String
    private let descriptor: Int32
    private var isCommitted = false

    init(replacing path: String) throws(LibraryFileError) {
        // A link stays one: what it leads to is replaced.
        self.path = (try? FileStatus.canonicalPath(path)) ?? path
        besidePath = self.path + ".saving"
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
    func commit() throws(LibraryFileError) {
        guard fsync(descriptor) == 0 else { throw .unwritable(path: besidePath, code: errno) }
        guard rename(besidePath, path) == 0 else { throw .unwritable(path: path, code: errno) }
        isCommitted = true
        syncFolder()
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
