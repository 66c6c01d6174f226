#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The path of a file or folder as a sequence of bytes. File systems treat paths in this way.
///
/// Swift compares strings by Unicode characters: the names of two different files may be equal as strings, and a slash
/// followed by a combining accent is not a slash. Therefore, all operations on paths belong in this type.
struct FilePath: Hashable, Sendable {
    let text: String

    private static let slash = UInt8(ascii: "/")

    init(_ text: String) {
        self.text = text
    }

    static func == (one: FilePath, other: FilePath) -> Bool {
        // Most unequal paths have different lengths, which are compared quickly.
        guard one.text.utf8.count == other.text.utf8.count else { return false }
        return withBytes(of: one.text) { bytes in
            withBytes(of: other.text) { areEqual(bytes[...], $0[...]) }
        }
    }

    func hash(into hasher: inout Hasher) {
        Self.withBytes(of: text) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(text.utf8.count)
    }

    /// The last component of the path, without slashes at its end. For example, it is `b` in `/a/b/`, and `a` in `a/`.
    /// A path that consists only of slashes is its own last component.
    var lastComponent: String {
        Self.withBytes(of: text) { bytes in
            guard let last = bytes.lastIndex(where: { $0 != Self.slash }) else { return text }
            let start = bytes[...last].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
            return String(decoding: bytes[start...last], as: UTF8.self)
        }
    }

    /// The last component without its extension. A dot at the start of the name does not begin an extension.
    var lastStem: String {
        let name = lastComponent.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return lastComponent }
        return Self.text(name[..<dot])
    }

    /// The folder that contains the item at this path, without a slash at its end; nil if the path contains no folder.
    var folder: FilePath? {
        let bytes = text.utf8
        guard let last = bytes.lastIndex(where: { $0 != Self.slash }),
            let slash = bytes[...last].lastIndex(of: Self.slash)
        else { return nil }
        return FilePath(slash == bytes.startIndex ? "/" : Self.text(bytes[..<slash]))
    }

    /// The text before the last slash of the path, and the bytes after it; nil if there is no slash. If the path ends
    /// with a slash, there are no bytes after it.
    var parts: (folder: String, name: Substring.UTF8View)? {
        let bytes = text.utf8
        guard let slash = bytes.lastIndex(of: Self.slash) else { return nil }
        return (Self.text(bytes[..<slash]), bytes[bytes.index(after: slash)...])
    }

    /// Returns whether this path comes before another one in the order of their bytes.
    func precedes(_ other: FilePath) -> Bool { text.utf8.lexicographicallyPrecedes(other.text.utf8) }

    /// Returns the path of an item in this folder.
    func appending(_ name: String) -> FilePath {
        FilePath(text.utf8.last == Self.slash ? text + name : text + "/" + name)
    }

    /// Returns whether this path is inside the folder, at any depth. Only the texts of the paths are compared.
    func isBelow(_ folder: FilePath) -> Bool {
        Self.withBytes(of: text) { bytes in
            Self.withBytes(of: folder.text) { prefix in
                guard bytes.count >= prefix.count, Self.areEqual(bytes[..<prefix.count], prefix[...]) else {
                    return false
                }
                return prefix.last == Self.slash || bytes.count > prefix.count && bytes[prefix.count] == Self.slash
            }
        }
    }

    /// Returns whether this is the path of the item with this name in a folder. The text of the folder must not end
    /// with a slash.
    func isItem(ofFolder folder: String, named name: ArraySlice<UInt8>) -> Bool {
        let length = folder.utf8.count
        guard text.utf8.count == length + 1 + name.count else { return false }
        return Self.withBytes(of: text) { bytes in
            guard bytes[length] == Self.slash else { return false }
            // Names are compared first, because they differ more often than folders.
            return name.withUnsafeBufferPointer { Self.areEqual(bytes[(length + 1)...], $0[...]) }
                && Self.withBytes(of: folder) { Self.areEqual(bytes[..<length], $0[...]) }
        }
    }

    private static func withBytes<Result>(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var text = text
        return text.withUTF8(body)
    }

    /// Returns whether two ranges contain the same bytes. Comparing blocks of bytes is much faster than comparing
    /// single bytes.
    private static func areEqual(
        _ one: Slice<UnsafeBufferPointer<UInt8>>, _ other: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Bool {
        let (one, other) = (UnsafeBufferPointer(rebasing: one), UnsafeBufferPointer(rebasing: other))
        return one.count == other.count
            && (one.isEmpty || memcmp(one.baseAddress!, other.baseAddress!, one.count) == 0)
    }

    // Makes a string from exactly these bytes. Swift treats a slash and a combining accent after it as one character,
    // so the bytes may begin or end inside a character. Some other ways of converting a substring to a string would
    // include the whole character.
    private static func text(_ bytes: Substring.UTF8View) -> String { String(decoding: bytes, as: UTF8.self) }
}
