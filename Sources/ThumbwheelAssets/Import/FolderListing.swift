#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The names of the items in a folder, except hidden ones. The folder stays open for the status of its items, because the
/// system then looks up one name for each instead of a whole path.
struct FolderListing: ~Copyable {
    /// The names in an order that depends only on the names.
    let names: [String]
    /// The names that are not valid Unicode, in a repaired form, which cannot be used to open the files.
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

    /// The status of an item. A symbolic link is followed.
    func status(of name: String) throws(FileStatus.Failure) -> FileStatus {
        try FileStatus(path: name, inFolder: dirfd(folder))
    }

    /// Throws if there is no folder at the path, or if its names cannot be read.
    static func check(_ path: FilePath) throws(FileStatus.Failure) { closedir(try open(path)) }

    private static func open(_ path: FilePath) throws(FileStatus.Failure) -> OpaquePointer {
        errno = 0
        guard let folder = opendir(path.text) else { throw FileStatus.Failure(code: errno) }
        return folder
    }

    /// Whether one name sorts before another as text. Two Unicode spellings of the same text compare as equal, so their
    /// bytes then decide.
    private static func areInOrder(_ one: String, _ other: String) -> Bool {
        one == other ? one.utf8.lexicographicallyPrecedes(other.utf8) : one < other
    }
}
