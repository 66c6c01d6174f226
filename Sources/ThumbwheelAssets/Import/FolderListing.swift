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
    /// The names of the items, in an order that depends only on the names.
    let names: [String]
    /// The names that are not valid Unicode, with replacement characters. Files cannot be opened by these names.
    let unusableNames: [String]

    private let folder: OpaquePointer

    init(_ path: FilePath) throws(FileStatus.Failure) {
        folder = try Self.open(path)
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
        names.sort(by: Self.areInOrder)
        unusable.sort(by: Self.areInOrder)
        (self.names, unusableNames) = (names, unusable)
    }

    deinit { closedir(folder) }

    /// Returns the status of an item. A symbolic link is followed.
    func status(of name: String) throws(FileStatus.Failure) -> FileStatus {
        try FileStatus(path: name, inFolder: dirfd(folder))
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
