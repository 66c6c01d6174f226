import Foundation

/// How a text is looked for in another (the string operators of table A2.1's format strings).
struct TextMatch: Sendable, Hashable {
    enum Place: Sendable, Hashable {
        case whole, beginning, end, anywhere
        /// `*` stands for any characters, `?` for one.
        case pattern
    }

    let place: Place
    let ignoresCase: Bool
    let ignoresDiacritics: Bool
    private let wanted: String
    private let bytes: [UInt8]

    init(_ place: Place, _ wanted: String, ignoresCase: Bool = false, ignoresDiacritics: Bool = false) {
        self.place = place
        self.ignoresCase = ignoresCase
        self.ignoresDiacritics = ignoresDiacritics
        self.wanted = Self.folded(wanted, ignoresCase, ignoresDiacritics)
        bytes = Array(self.wanted.utf8)
    }

    private static func folded(_ text: String, _ ignoresCase: Bool, _ ignoresDiacritics: Bool) -> String {
        var options: String.CompareOptions = []
        if ignoresDiacritics { options.insert(.diacriticInsensitive) }
        let folded = options.isEmpty ? text : text.folding(options: options, locale: nil)
        return ignoresCase ? folded.lowercased() : folded
    }

    /// Whether bytes that are UTF-8 match. ASCII, which most names are, is never made into a `String`.
    func matches(_ text: ArraySlice<UInt8>) -> Bool {
        if !ignoresCase, !ignoresDiacritics, place != .pattern { return finds(text) }
        if place != .pattern, text.allSatisfy({ $0 < 0x80 }) {
            return finds(
                ignoresCase ? ArraySlice(text.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }) : text)
        }
        let folded = Self.folded(String(decoding: text, as: UTF8.self), ignoresCase, ignoresDiacritics)
        if place == .pattern { return Self.isLike(Array(folded), Array(wanted)) }
        return finds(ArraySlice(folded.utf8))
    }

    func matches(_ text: String) -> Bool { matches(ArraySlice(text.utf8)) }

    private func finds(_ text: ArraySlice<UInt8>) -> Bool {
        guard place == .whole || text.count >= bytes.count else { return false }
        switch place {
        case .whole:
            // As strings compare: two spellings of one letter are equal.
            return text.elementsEqual(bytes)
                || !text.allSatisfy { $0 < 0x80 } && String(decoding: text, as: UTF8.self) == wanted
        case .beginning: return text.starts(with: bytes)
        case .end: return text.suffix(bytes.count).elementsEqual(bytes)
        case .anywhere, .pattern:
            guard let first = bytes.first else { return true }
            for start in text.startIndex...text.endIndex - bytes.count where text[start] == first {
                if text[start...].starts(with: bytes) { return true }
            }
            return false
        }
    }

    /// Linear in the product of the lengths at worst: the last star alone is ever returned to.
    private static func isLike(_ text: [Character], _ pattern: [Character]) -> Bool {
        var (position, place) = (0, 0)
        var star: (place: Int, position: Int)?
        while position < text.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place, position)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[position] {
                place += 1
                position += 1
            } else if let last = star {
                star = (last.place, last.position + 1)
                place = last.place + 1
                position = last.position + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
