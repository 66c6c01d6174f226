/// The first bytes of a file, by which its type is recognised.
struct FileStart {
    let bytes: [UInt8]

    /// Whether the file has these bytes at an offset.
    func has(_ expected: [UInt8], at offset: Int = 0) -> Bool {
        bytes.dropFirst(offset).starts(with: expected)
    }

    /// Whether the file has the bytes of a text at an offset.
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        has(text.withUTF8Buffer { [UInt8]($0) }, at: offset)
    }
}
