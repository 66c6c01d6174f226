/// Four characters that name a chunk, a box, a brand or a tag in a file, the first in the highest byte.
struct FourCharacterCode: Hashable, ExpressibleByStringLiteral {
    let rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(stringLiteral value: StaticString) {
        rawValue = value.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The characters without trailing spaces; a question mark stands for each character that is not printable ASCII.
    var text: String {
        var text = ""
        for shift in [24, 16, 8, 0] {
            let byte = UInt8(truncatingIfNeeded: rawValue >> UInt32(shift))
            text.unicodeScalars.append(0x20...0x7E ~= byte ? Unicode.Scalar(byte) : "?")
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}
