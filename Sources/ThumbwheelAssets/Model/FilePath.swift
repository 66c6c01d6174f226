#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The path of a file or folder as a sequence of bytes, as file systems treat it.
///
/// A `String` compares by Unicode: the names of two different files may be equal as text, and a slash followed by a
/// combining accent is not a slash. All operations on paths therefore belong in this type.
struct FilePath: Hashable, Sendable {
    let text: String

    private static let slash = UInt8(ascii: "/")

    init(_ text: String) {
        self.text = text
    }

    static func == (one: FilePath, other: FilePath) -> Bool {
        // Comparing the lengths first tells most unequal paths apart quickly.
        guard one.text.utf8.count == other.text.utf8.count else { return false }
        // Blocks of bytes are compared much faster than bytes one by one.
        let areEqual = one.text.utf8.withContiguousStorageIfAvailable { bytes in
            other.text.utf8.withContiguousStorageIfAvailable { others in
                bytes.isEmpty || memcmp(bytes.baseAddress!, others.baseAddress!, bytes.count) == 0
            }
        }
        return (areEqual ?? nil) ?? one.text.utf8.elementsEqual(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(text.utf8.count)
    }

    /// The name after the last slash, ignoring trailing slashes; the whole path if it has no other slash.
    var lastComponent: String {
        let bytes = text.utf8
        guard let last = bytes.lastIndex(where: { $0 != Self.slash }) else { return text }
        let start = bytes[...last].lastIndex(of: Self.slash).map { bytes.index(after: $0) } ?? bytes.startIndex
        return Self.text(bytes[start...last])
    }

    /// The last component without its extension. A leading dot does not begin an extension.
    var lastStem: String {
        let name = lastComponent.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return lastComponent }
        return Self.text(name[..<dot])
    }

    /// The folder that contains the last component, without the slash between them; nil if the path names no folder.
    var folder: FilePath? {
        let bytes = text.utf8
        guard let last = bytes.lastIndex(where: { $0 != Self.slash }),
            let slash = bytes[...last].lastIndex(of: Self.slash)
        else { return nil }
        return FilePath(slash == bytes.startIndex ? "/" : Self.text(bytes[..<slash]))
    }

    /// The path split at its last slash, even if that slash is the last byte; nil if there is no slash.
    var parts: (folder: String, name: Substring.UTF8View)? {
        let bytes = text.utf8
        guard let slash = bytes.lastIndex(of: Self.slash) else { return nil }
        return (Self.text(bytes[..<slash]), bytes[bytes.index(after: slash)...])
    }

    /// Whether this path comes before another, byte by byte.
    func precedes(_ other: FilePath) -> Bool { text.utf8.lexicographicallyPrecedes(other.text.utf8) }

    /// The path of an item in this folder.
    func appending(_ name: String) -> FilePath {
        FilePath(text.utf8.last == Self.slash ? text + name : text + "/" + name)
    }

    /// Whether this path lies in the folder, at any depth. Only the two paths are compared; no file is looked up.
    func isBelow(_ folder: FilePath) -> Bool {
        let (bytes, prefix) = (text.utf8, folder.text.utf8)
        guard bytes.starts(with: prefix) else { return false }
        return prefix.last == Self.slash || bytes.dropFirst(prefix.count).first == Self.slash
    }

    // Decodes the bytes anew. The slice may begin or end inside a character, and some conversions of substrings would
    // then include the whole character.
    private static func text(_ bytes: Substring.UTF8View) -> String { String(decoding: bytes, as: UTF8.self) }
}
