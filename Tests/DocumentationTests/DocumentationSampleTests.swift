import Foundation
import Testing

@Suite("The samples of the documentation")
struct DocumentationSampleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("each sample that a page shows is compiled by a test, letter for letter")
    func shown() throws {
        let compiled = Set(try Self.compiledSamples())
        let pages = try Self.pages()
        #expect(pages.contains { $0.path.hasSuffix("README.md") } && pages.count > 5)
        for page in pages {
            for sample in try Self.samples(of: page) where !compiled.contains(sample) {
                Issue.record("\(page.path(percentEncoded: false)) shows what no test compiles:\n\(sample)")
            }
        }
    }

    @Test("each sample that a test compiles is shown on some page")
    func compiled() throws {
        let shown = Set(try Self.pages().flatMap(Self.samples))
        for sample in try Self.compiledSamples() where !shown.contains(sample) {
            Issue.record("no page shows\n\(sample)")
        }
    }

    /// The Swift blocks of a page, or of a source file's doc comments, without their imports, which the tests' files have
    /// at their heads.
    private static func samples(of page: URL) throws -> [String] {
        var text = try String(contentsOf: page, encoding: .utf8)
        if page.pathExtension == "swift" {
            let lines = text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            text = lines.filter { $0.hasPrefix("///") }.map { $0.dropFirst(4) + "\n" }.joined()
        }
        return text.components(separatedBy: "```swift\n").dropFirst().map { rest in
            let block = rest.components(separatedBy: "```")[0].components(separatedBy: "\n")
            return block.drop { $0.hasPrefix("import ") || $0.isEmpty }.joined(separator: "\n")
        }
    }

    /// The stretches of the tests between `// begin` and `// end`.
    private static func compiledSamples() throws -> [String] {
        try files(in: "Tests", endingIn: ".swift").flatMap { file in
            let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "// begin ")
            return parts.dropFirst().map { part in
                let lines = part.components(separatedBy: "\n").dropFirst()
                    .prefix { $0.trimmingCharacters(in: .whitespaces) != "// end" }
                let indent = lines.first?.prefix { $0 == " " }.count ?? 0
                return lines.map { $0.dropFirst(indent) + "\n" }.joined()
            }
        }
    }

    private static func pages() throws -> [URL] {
        let pages =
            try files(in: "Documentation", endingIn: ".md") + files(in: "Sources", endingIn: ".md")
            + files(in: "Sources", endingIn: ".swift")
        return pages + ["README.md", "CONTRIBUTING.md"].map { root.appending(path: $0) }
    }

    private static func files(in folder: String, endingIn ending: String) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path(percentEncoded: false))
            .filter { $0.hasSuffix(ending) && !$0.hasSuffix("DocumentationSampleTests.swift") }
            .map { root.appending(path: folder + "/" + $0) }
    }
}
