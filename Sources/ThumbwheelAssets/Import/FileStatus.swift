import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The status of the file or folder at a path. If the path leads to a symbolic link, the link is followed unless the
/// caller chooses otherwise.
struct FileStatus {
    enum Kind {
        case file, folder, link, other
    }

    /// The identity of a file. It is equal for all paths that lead to the same file.
    struct Identity: Hashable {
        let device: UInt64
        let node: UInt64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            node = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    /// The error of a system call, with the system's error number.
    struct Failure: Error {
        let code: Int32

        /// Whether the error means that nothing is at the path.
        var isAbsence: Bool { code == ENOENT || code == ENOTDIR }

        /// Whether the error means that the disk is full or the file has reached a size limit.
        var isFullDisk: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }
    }

    let kind: Kind
    let identity: Identity
    let modificationDate: Date
    let byteCount: Int
    /// The number of hard links (names) of the file.
    let linkCount: Int

    /// Reads the status of the file or folder at a path.
    ///
    /// - Parameters:
    ///   - path: an absolute path, or a path relative to `folder`.
    ///   - folder: the file descriptor of a folder; nil for the working folder of the process.
    ///   - followsLink: whether a symbolic link at the path is followed.
    init(path: String, inFolder folder: Int32? = nil, followsLink: Bool = true) throws(Failure) {
        var status = stat()
        let result = fstatat(folder ?? AT_FDCWD, path, &status, followsLink ? 0 : AT_SYMLINK_NOFOLLOW)
        guard result == 0 else { throw Failure(code: errno) }
        self.init(status)
    }

    /// Reads the status of an open file.
    init(descriptor: Int32) throws(Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(code: errno) }
        self.init(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        identity = Identity(status)
        byteCount = Int(status.st_size)
        linkCount = Int(status.st_nlink)
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        modificationDate = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    /// Returns the absolute path of the file that `path` names, with all symbolic links resolved.
    static func canonicalPath(_ path: String) throws(Failure) -> String {
        guard let resolved = realpath(path, nil) else { throw Failure(code: errno) }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
