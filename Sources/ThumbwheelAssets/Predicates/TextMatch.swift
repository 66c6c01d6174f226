import Foundation

/// A search for a text in another text, as the text operators of format strings define it.
///
/// Texts are compared as sequences of Swift characters. Two Unicode spellings of one character are equal, and a part of
/// a character does not match.
struct TextMatch: Sendable, Hashable {
    enum Place: Sendable, Hashable {
        case whole, beginning, end, anywhere
        /// The wanted text is a pattern: `*` matches any number of characters, and `?` matches one character.
        case pattern
    }

    let place: Place
    let ignoresCase: Bool
    let ignoresDiacritics: Bool
    private let text: String
    private let letters: LetterSearch<Character>
    /// The wanted text as bytes, if all its characters are plain (see `isPlain`). Otherwise it is nil, and no text of
    /// plain characters can match.
    private let plainLetters: LetterSearch<UInt8>?

    init(_ place: Place, _ wanted: String, ignoresCase: Bool = false, ignoresDiacritics: Bool = false) {
        self.place = place
        self.ignoresCase = ignoresCase
        self.ignoresDiacritics = ignoresDiacritics
        text = Self.folded(wanted, ignoresCase, ignoresDiacritics)
        letters = LetterSearch(Array(text))
        // Some characters have one spelling in ASCII and another outside ASCII. For example, the kelvin sign is equal
        // to K. Normalizing the text gives the ASCII spelling.
        let bytes = Array(text.precomposedStringWithCanonicalMapping.utf8)
        plainLetters = Self.isPlain(bytes[...]) ? LetterSearch(bytes) : nil
    }

    private static func folded(_ text: String, _ ignoresCase: Bool, _ ignoresDiacritics: Bool) -> String {
        let folded = ignoresDiacritics ? text.folding(options: .diacriticInsensitive, locale: nil) : text
        return ignoresCase ? folded.lowercased() : folded
    }

    /// Returns whether each byte is a character of its own. This is so in ASCII, except that a carriage return and a
    /// line feed after it are one character.
    private static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\r") }
    }

    /// Returns whether a text, given as UTF-8 bytes, matches. A text of plain bytes (see `isPlain`), such as most
    /// names, is compared without converting it to a `String`, in time linear in its length. For a pattern, every text
    /// is converted, and the time is longer (see `isLike`).
    func matches(_ text: ArraySlice<UInt8>) -> Bool {
        if place != .pattern, Self.isPlain(text) {
            guard let plainLetters else { return false }
            return finds(
                plainLetters, in: ignoresCase ? ArraySlice(text.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }) : text)
        }
        let folded = Self.folded(String(decoding: text, as: UTF8.self), ignoresCase, ignoresDiacritics)
        switch place {
        case .whole: return folded == self.text
        case .beginning: return folded.starts(with: letters.letters)
        case .end: return folded.suffix(letters.letters.count).elementsEqual(letters.letters)
        case .anywhere: return letters.areIn(folded)
        case .pattern: return Self.isLike(Array(folded), letters.letters)
        }
    }

    func matches(_ text: String) -> Bool { matches(ArraySlice(text.utf8)) }

    private func finds(_ wanted: LetterSearch<UInt8>, in text: ArraySlice<UInt8>) -> Bool {
        guard text.count >= wanted.letters.count else { return false }
        return switch place {
        case .whole: text.elementsEqual(wanted.letters)
        case .beginning: text.starts(with: wanted.letters)
        case .end: text.suffix(wanted.letters.count).elementsEqual(wanted.letters)
        case .anywhere, .pattern: text.withUnsafeBufferPointer { wanted.areIn($0) }
        }
    }

    /// Returns whether a text matches a pattern. After a mismatch, the search goes back to the last star of the
    /// pattern, never to an earlier one. The time is at most proportional to the product of the two lengths.
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
