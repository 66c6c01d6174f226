/// A position that moves through a text as numbers and separators are read from it.
struct DigitCursor {
    private let text: [UInt8]
    private(set) var position: Int

    init(_ text: [UInt8], at position: Int = 0) {
        self.text = text
        self.position = position
    }

    var rest: [UInt8] { [UInt8](text[position...]) }

    /// Reads a number of exactly `count` digits, at most nine; nil, without moving, if other characters come sooner.
    mutating func number(_ count: Int) -> Int? {
        guard 1...9 ~= count, text.count - position >= count else { return nil }
        var value = 0
        for byte in text[position..<position + count] {
            guard 0x30...0x39 ~= byte else { return nil }
            value = value * 10 + Int(byte) - 0x30
        }
        position += count
        return value
    }

    /// Reads all digits up to another character.
    mutating func run() -> [UInt8] {
        let digits = text[position...].prefix { 0x30...0x39 ~= $0 }
        position = digits.endIndex
        return [UInt8](digits)
    }

    /// Moves over the next character if it is one of `separators`.
    mutating func skip(_ separators: StaticString) -> Bool {
        guard position < text.count else { return false }
        let byte = text[position]
        guard separators.withUTF8Buffer({ $0.contains(byte) }) else { return false }
        position += 1
        return true
    }

    /// Moves over `word`, in letters of either case, if it comes next.
    mutating func skip(word: StaticString) -> Bool {
        let matches = word.withUTF8Buffer { word in
            text.count - position >= word.count
                && zip(word, text[position...]).allSatisfy { $0 == $1 || $0 | 0x20 == $1 | 0x20 }
        }
        if matches { position += word.utf8CodeUnitCount }
        return matches
    }

    /// Whether the next character is a digit.
    var isAtDigit: Bool { position < text.count && 0x30...0x39 ~= text[position] }
}
