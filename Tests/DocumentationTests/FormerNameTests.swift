import Foundation
import Testing

@Suite("Former names") struct FormerNameTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The names of the declarations that are marked as deprecated, each with its mark.
    private static func deprecated() throws -> [(name: String, mark: String)] {
        let sources = root.appending(path: "Sources").path(percentEncoded: false)
        var found: [(name: String, mark: String)] = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: sources) where file.hasSuffix(".swift") {
            let lines = try String(contentsOfFile: sources + "/" + file, encoding: .utf8).components(separatedBy: "\n")
            for index in lines.indices where lines[index].contains("@available(*, deprecated") {
                // Another attribute may stand between the mark and the declaration.
                let declaration = lines[(index + 1)...].drop { $0.contains("@") }.prefix(2).joined()
                let words = declaration.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
                let keyword = words.firstIndex { ["func", "var", "let", "typealias", "init"].contains($0) }
                try found.append((words[#require(keyword, "\(declaration)") + 1], lines[index]))
            }
        }
        return found
    }

    @Test("each former name says what it is called now, and is used by a test")
    func names() throws {
        let tests = try String(
            contentsOf: Self.root.appending(path: "Tests/ThumbwheelTests/DeprecatedNamesTests.swift"), encoding: .utf8)
        let names = try Self.deprecated()
        #expect(names.count > 10)
        for (name, mark) in names {
            #expect(mark.contains("renamed: \""), "\(name) has no fix-it")
            #expect(tests.contains(name), "no test uses \(name)")
        }
    }
}
