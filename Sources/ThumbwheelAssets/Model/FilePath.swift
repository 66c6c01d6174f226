/// The path of a file or a folder as a file system takes it: a run of bytes. Texts follow Unicode, by which two names may be
/// equal that are two files, and a slash with an accent behind it is no slash; whatever is done with paths is done here.
struct FilePath: Hashable, Sendable {
    let text: String

    private static let slash = UInt8(ascii: "/")

    init(_ text: String) {
        self.text = text
    }

    static func == (one: FilePath, other: FilePath) -> Bool {
        // What is one text byte by byte is so as Unicode as well, and the quicker comparison tells most others apart.
        one.text.utf8.count == other.text.utf8.count && one.text.utf8.elementsEqual(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(text.utf8.count)
    }

    /// What is behind the last slash that something is behind of; the whole path where there is no such slash.
    var lastComponent: String {
        let bytes = text.utf8
        guard let last = bytes.lastIndex(where: { $0 != Self.slash }) else { return text }
        let start = bytes[...last].lastIndex(of: Self.slash).map { bytes.index(after: $0) } ?? bytes.startIndex
        return Self.text(bytes[start...last])
    }

    /// What is before the last component, without the slash between; nil where there is nothing.
    var folder: FilePath? {
        let bytes = text.utf8
        guard let last = bytes.lastIndex(where: { $0 != Self.slash }),
            let slash = bytes[...last].lastIndex(of: Self.slash)
        else { return nil }
        return FilePath(slash == bytes.startIndex ? "/" : Self.text(bytes[..<slash]))
    }

    /// The path split at its last slash, as it is; nil where there is none.
    var parts: (folder: String, name: Substring.UTF8View)? {
        let bytes = text.utf8
        guard let slash = bytes.lastIndex(of: Self.slash) else { return nil }
        return (Self.text(bytes[..<slash]), bytes[bytes.index(after: slash)...])
    }

    /// The path of something in this folder.
    func appending(_ name: String) -> FilePath {
        FilePath(text.utf8.last == Self.slash ? text + name : text + "/" + name)
    }

    /// Whether this is in the folder, or in one that is in it, by what the two paths say.
    func isBelow(_ folder: FilePath) -> Bool {
        let (bytes, prefix) = (text.utf8, folder.text.utf8)
        guard bytes.starts(with: prefix) else { return false }
        return prefix.last == Self.slash || bytes.dropFirst(prefix.count).first == Self.slash
    }

    // A substring whose ends are inside of a letter would be rounded to letters by some of the ways to a string.
    private static func text(_ bytes: Substring.UTF8View) -> String { String(decoding: bytes, as: UTF8.self) }
}
