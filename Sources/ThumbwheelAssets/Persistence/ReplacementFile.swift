import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is written under a temporary name and then replaces an existing file. At any moment, the complete old
/// file or the complete new file exists. The old file is kept under another name.
///
/// If a process is killed while it writes, the temporary file remains. The next writer empties this file and uses it.
/// If there are several writers, in one process or in several, each waits for the one before it.
final class ReplacementFile {
    private let path: String
    private let besidePath: String
    private let previousPath: String
    private let descriptor: Int32
    private var isCommitted = false

    init(replacing path: String) throws(LibraryFileError) {
        // If the path is a symbolic link, the link is kept, and the file to which it points is replaced.
        self.path = (try? FileStatus.canonicalPath(path)) ?? path
        besidePath = self.path + ".saving"
        previousPath = self.path + ".previous"
        descriptor = try Self.lockedFile(at: besidePath)
        guard ftruncate(descriptor, 0) == 0 else { throw .unwritable(path: besidePath, code: errno) }
        var status = stat()
        // The new file gets the permissions of the old file. Users who may not read the old file must not be able to
        // read the new one.
        if stat(self.path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
    }

    deinit {
        // The temporary file is removed before its descriptor is closed. Closing the descriptor releases the lock, and
        // another writer may then create its own file at this path. That file must not be removed.
        if !isCommitted { unlink(besidePath) }
        close(descriptor)
    }

    private static func lockedFile(at path: String) throws(LibraryFileError) -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw .unwritable(path: path, code: errno) }
            while flock(descriptor, LOCK_EX) != 0 {
                let code = errno
                if code == EINTR { continue }
                close(descriptor)
                throw .unwritable(path: path, code: code)
            }
            if isFile(descriptor, at: path) { return descriptor }
            // Tries again, because the locked file is not at the path any more. Another writer has renamed or removed
            // the file while this writer was waiting for the lock.
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

    /// Puts the new file in the place of the old file. The old file is kept under a second name that ends with
    /// `.previous`, if it is undamaged. Even after a loss of power, the complete old file or the complete new file is
    /// at the path. There is one exception: on a file system without hard links, there may be no file at the path, and
    /// the old file then has only its second name.
    ///
    /// - Parameter check: checks the file at a path, and throws if the file is damaged. It is called for the new file
    ///   after that file was written through to the disk and removed from the memory cache, so that the check reads the
    ///   disk. It is also called for the old file, to decide whether the old file is kept.
    func commit(
        checking check: (_ path: String, _ isNew: Bool) throws(LibraryFileError) -> Void
    ) throws(LibraryFileError) {
        guard fsync(descriptor) == 0 else { throw .unwritable(path: besidePath, code: errno) }
        #if !canImport(Darwin)
        // Removes the new file from the memory cache, so that `check` reads the file from the disk. If the file cannot
        // be removed from the cache, `check` is called anyway.
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        #endif
        try check(besidePath, true)
        try keepPrevious(checking: check)
        guard rename(besidePath, path) == 0 else {
            let code = errno
            // Saving has failed, so the old file is put back at its path if it is not there. It is not there on a file
            // system without hard links, where `keepPrevious` has renamed the old file to `previousPath`.
            if access(path, F_OK) != 0 { rename(previousPath, path) }
            throw .unwritable(path: path, code: code)
        }
        isCommitted = true
        syncFolder()
    }

    /// Gives the existing file a second name that ends with `.previous`, unless the file is damaged. A hard link to the
    /// file is made under a temporary name, and then renamed. The rename replaces an older file with the name
    /// `.previous` in one step, so there is a file with this name at every moment.
    private func keepPrevious(
        checking check: (_ path: String, _ isNew: Bool) throws(LibraryFileError) -> Void
    ) throws(LibraryFileError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        do throws(LibraryFileError) {
            try check(path, false)
        } catch {
            switch error {
            // The existing file is damaged, so it does not get the name that ends with `.previous`. The undamaged file
            // of an earlier save keeps that name.
            case .truncated, .damaged, .malformed, .notALibrary: return
            // A file from a later version of this software is undamaged, and may be the only copy of its library. So it
            // is kept under the name with `.previous` at its end.
            case .newerVersion: break
            // Any other error, such as too many open files, does not tell whether the existing file is damaged. So
            // saving fails. If saving continued and the existing file were damaged, it would replace the good file of
            // an earlier save under the name `.previous`.
            default: throw error
            }
        }
        let linkPath = previousPath + ".linking"
        unlink(linkPath)
        if link(path, linkPath) == 0 {
            let result = rename(linkPath, previousPath)
            let code = errno
            // rename(2) does nothing, and reports no error, if both paths are hard links to the same file. `linkPath`
            // then remains, and is removed here. The paths are such links after an earlier save in which power was lost
            // between two steps: the existing file had got the name `previousPath`, but the new file was not yet at
            // `path`.
            unlink(linkPath)
            guard result == 0 else { throw .unwritable(path: previousPath, code: code) }
            return
        }
        let code = errno
        // A file system without hard links cannot give the old file a second name, so the old file is renamed. Until
        // the new file is in place, there is no file at the path, and the old file has only the name with `.previous`
        // at its end.
        guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV].contains(code), rename(path, previousPath) == 0 else {
            throw .unwritable(path: previousPath, code: code)
        }
    }

    /// Writes the folder through to the disk, so that the new name survives a loss of power. Not every file system
    /// supports this. The file is in place in any case.
    private func syncFolder() {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "./"
        let descriptor = open(String(folder), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
