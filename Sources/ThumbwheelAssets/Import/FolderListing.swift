#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The names of the items in a folder, without hidden ones. The folder stays open so that the status of an item can be
/// read by its name: the system then need not look up a whole path.
struct FolderListing: ~Copyable {
    /// A function that returns the next item of an open folder. Nil means that there are no more, or, if `errno` is not
    /// 0, that the system cannot read on. Tests use a function of their own.
    typealias Reading = @Sendable (OpaquePointer) -> UnsafeMutablePointer<dirent>?

    /// The names of the items, in an order that depends only on the names.
    let names: [String]
    /// The names that are not valid Unicode, with replacement characters. Files cannot be opened by these names.
    let unusableNames: [String]

    /// The status of the folder itself. An automounter mounts a volume only as its folder is opened, which is another
    /// folder then than before.
    let status: FileStatus

    private let folder: OpaquePointer

    /// Reads the names.
    ///
    /// - Throws: the system's error, also if only a part of the names can be read. Otherwise, an import would take the
    ///   files that are not listed for removed ones.
    init(_ path: FilePath, reading next: Reading = { readdir($0) }) throws(FileStatus.Failure) {
        let folder = try Self.open(path)
        let status: FileStatus
        do throws(FileStatus.Failure) {
            status = try FileStatus(path: ".", inFolder: dirfd(folder))
        } catch {
            closedir(folder)
            throw error
        }
        var names: [String] = []
        var unusable: [String] = []
        while true {
            errno = 0
            guard let entry = next(folder) else {
                let code = errno
                if code == 0 { break }
                closedir(folder)
                throw FileStatus.Failure(code: code)
            }
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
        names.sort(by: Self.areInOrder)
        unusable.sort(by: Self.areInOrder)
        self.folder = folder
        self.status = status
        (self.names, unusableNames) = (names, unusable)
    }

    deinit { closedir(folder) }

    /// Returns the status of an item. A symbolic link is followed.
    func status(of name: String) throws(FileStatus.Failure) -> FileStatus {
        try FileStatus(path: name, inFolder: dirfd(folder))
    }

    /// Returns whether an item is a symbolic link.
    func isLink(_ name: String) -> Bool {
        (try? FileStatus(path: name, inFolder: dirfd(folder), followsLink: false))?.kind == .link
    }

    /// Throws if there is no folder at the path, or if the names in it cannot be read.
    static func check(_ path: FilePath) throws(FileStatus.Failure) { closedir(try open(path)) }

    private static func open(_ path: FilePath) throws(FileStatus.Failure) -> OpaquePointer {
        errno = 0
        guard let folder = opendir(path.text) else { throw FileStatus.Failure(code: errno) }
        return folder
    }

    /// Returns whether the first name comes before the second one when they are sorted as text. Two Unicode spellings
    /// of the same text are equal as text, so their bytes are compared.
    private static func areInOrder(_ one: String, _ other: String) -> Bool {
        one == other ? one.utf8.lexicographicallyPrecedes(other.utf8) : one < other
    }
}
