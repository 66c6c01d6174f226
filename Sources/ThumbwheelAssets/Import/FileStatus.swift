import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The status of the file or folder at a path. A symbolic link at the path is followed unless the caller says
/// otherwise.
struct FileStatus {
    enum Kind {
        case file, folder, link, other
    }

    /// The identity of a file, equal for all paths that lead to the same file.
    struct Identity: Hashable {
        let device: UInt64
        let node: UInt64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            node = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    /// A system error number.
    struct Failure: Error {
        let code: Int32

        /// Whether there is nothing at the path.
        var isAbsence: Bool { code == ENOENT || code == ENOTDIR }

        /// Whether the disk is full, or the file has reached a limit.
        var isFullDisk: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }
    }

    let kind: Kind
    let identity: Identity
    let modificationDate: Date
    let byteCount: Int
    /// The number of names (hard links) that the file has.
    let linkCount: Int

    init(path: String, followsLink: Bool = true) throws(Failure) {
        var status = stat()
        let result = followsLink ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else { throw Failure(code: errno) }
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

    /// The absolute path, with all symbolic links resolved, of the file that `path` names.
    static func canonicalPath(_ path: String) throws(Failure) -> String {
        guard let resolved = realpath(path, nil) else { throw Failure(code: errno) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Whether one name sorts before another as text. Two Unicode spellings of the same text compare as equal, so their
    /// bytes then decide.
    private static func areInOrder(_ one: String, _ other: String) -> Bool {
        one == other ? one.utf8.lexicographicallyPrecedes(other.utf8) : one < other
    }

    /// The names of the items in a folder, except hidden ones, in an order that depends only on the names. Names that
    /// are not valid Unicode are returned separately in a repaired form, which cannot be used to open the files.
    static func names(inFolder path: String) throws(Failure) -> (names: [String], unusable: [String]) {
        errno = 0
        guard let folder = opendir(path) else { throw Failure(code: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        var unusable: [String] = []
        while let entry = readdir(folder) {
            withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                let bytes = bytes.prefix { $0 != 0 }
                if bytes.first == UInt8(ascii: ".") { return }
                if let name = String(validating: bytes, as: UTF8.self) {
                    names.append(name)
                } else {
                    unusable.append(String(decoding: bytes, as: UTF8.self))
                }
            }
        }
        return (names.sorted(by: areInOrder), unusable.sorted(by: areInOrder))
    }
}
