/// The path of a file or a folder as a file system takes it: a run of bytes.
///
/// A `String` compares by Unicode: two names of two files may be equal texts, and a slash with an accent behind it is
/// no slash. All operations on paths therefore belong here.
struct FilePath: Hashable, Sendable {
    let text: String

    private static let slash = UInt8(ascii: "/")

    init(_ text: String) {
        self.text = text
    }

    static func == (one: FilePath, other: FilePath) -> Bool {
        // Texts with equal bytes are equal as Unicode, too, and the lengths tell most others apart quickly.
        one.text.utf8.count == other.text.utf8.count && one.text.utf8.elementsEqual(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(text.utf8.count)
    }

    /// The name behind the last slash, trailing slashes aside; the whole path if there is no such slash.
    var lastComponent: String {
        let bytes = text.utf8
        guard let last = bytes.lastIndex(where: { $0 != Self.slash }) else { return text }
        let start = bytes[...last].lastIndex(of: Self.slash).map { bytes.index(after: $0) } ?? bytes.startIndex
        return Self.text(bytes[start...last])
    }

    /// The folder that holds the last component, without the slash between them; nil if the path names none.
    var folder: FilePath? {
        let bytes = text.utf8
        guard let last = bytes.lastIndex(where: { $0 != Self.slash }),
            let slash = bytes[...last].lastIndex(of: Self.slash)
        else { return nil }
        return FilePath(slash == bytes.startIndex ? "/" : Self.text(bytes[..<slash]))
    }

    /// The path split at its last slash, trailing or not; nil if there is none.
    var parts: (folder: String, name: Substring.UTF8View)? {
        let bytes = text.utf8
        guard let slash = bytes.lastIndex(of: Self.slash) else { return nil }
        return (Self.text(bytes[..<slash]), bytes[bytes.index(after: slash)...])
    }

    /// The path of an item in this folder.
    func appending(_ name: String) -> FilePath {
        FilePath(text.utf8.last == Self.slash ? text + name : text + "/" + name)
    }

    /// Whether this path lies in the folder, at any depth, judging by the two paths alone.
    func isBelow(_ folder: FilePath) -> Bool {
        let (bytes, prefix) = (text.utf8, folder.text.utf8)
        guard bytes.starts(with: prefix) else { return false }
        return prefix.last == Self.slash || bytes.dropFirst(prefix.count).first == Self.slash
    }

    // Decodes the bytes: some of the ways from substring to string round ends that are inside a letter to whole
    // letters.
    private static func text(_ bytes: Substring.UTF8View) -> String { String(decoding: bytes, as: UTF8.self) }
}
