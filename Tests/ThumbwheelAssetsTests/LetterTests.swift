import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite(
    "Texts are letters: two spellings of one are equal wherever they are looked for, and no letter is part of another")
struct LetterTests {
    private static let names = [
        "caf\u{E9}.jpg", "cafe\u{301}.jpg", "cafe.jpg", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}.jpg",
        "\u{1F469}.jpg",
        "a\r\nb", "a\nb", "\u{212A}elvin", "Kelvin", "aab", "aaab", "", "\u{301}", "e", "\u{FFFD}", "\u{AC00}",
        "\u{1100}\u{1161}",
    ]

    private func library() -> PhotoLibrary {
        let library = PhotoLibrary()
        library.add(Self.names.enumerated().map { SampleAssets.asset($0.offset, name: $0.element) })
        return library
    }

    @Test("fetches find the names that Swift's own predicates find, for every pair of names")
    func asFoundation() throws {
        let library = library()
        let all = Array(library.fetchAssets())
        for wanted in Self.names + ["a", "\n", "\r", "b", ".jpg", "K", "ab", "aa", "\u{1100}"] {
            let predicates: [(String, Predicate<Asset>)] = [
                ("contains", #Predicate { $0.originalFilename.contains(wanted) }),
                ("starts", #Predicate { $0.originalFilename.starts(with: wanted) }),
                ("==", #Predicate { $0.originalFilename == wanted }),
            ]
            for (name, predicate) in predicates {
                let expected = try all.filter { try predicate.evaluate($0) }.map { Int($0.identifier.low) }
                let found = library.fetchAssets(with: try FetchOptions(matching: predicate)).numbers
                #expect(found == expected, "\(name) \(wanted.unicodeScalars.map { String($0.value, radix: 16) })")
            }
        }
    }

    @Test("the operators of format strings agree with LIKE")
    func formats() throws {
        let library = library()
        // No text begins with an accent, which would join the star before it.
        for wanted in ["\u{E9}", "e\u{301}", "e", "caf\u{E9}", ".jpg", "K", "\u{1F469}", "aab"] {
            for (name, pattern) in [
                ("CONTAINS", "*\(wanted)*"), ("BEGINSWITH", "\(wanted)*"), ("ENDSWITH", "*\(wanted)"),
            ] {
                for options in ["", "[c]", "[cd]"] {
                    func found(_ format: String, _ text: String) throws -> [Int] {
                        let predicate = try AssetPredicate(PredicateFormat(format, text))
                        return library.fetchAssets(with: FetchOptions(predicate: predicate)).numbers
                    }
                    let expected = try found("filename LIKE\(options) %@", pattern)
                    #expect(
                        try found("filename \(name)\(options) %@", wanted) == expected, "\(name)\(options) \(wanted)")
                }
            }
        }
    }

    @Test("a search takes time linear in the text, whatever it looks for")
    func longTexts() {
        // A search that restarts at every letter would look at 10^10 letters.
        let (text, wanted) = (String(repeating: "\u{E9}", count: 200_000), String(repeating: "\u{E9}", count: 100_000))
        #expect(!TextMatch(.anywhere, wanted + "a").matches(text))
        #expect(TextMatch(.anywhere, wanted).matches(text))
        let ascii = String(repeating: "a", count: 200_000)
        #expect(!TextMatch(.anywhere, String(repeating: "a", count: 100_000) + "b").matches(ascii))
    }
}
