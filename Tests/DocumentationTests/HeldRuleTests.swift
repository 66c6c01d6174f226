import Foundation
import Testing

/// The tests that `Documentation/Semantics.md` names for its rules.
@Suite("The rules of Semantics.md") struct HeldRuleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A row of a table whose last column says which tests hold the rest.
    private struct Row {
        let section: String
        let text: Substring
        let tests: [(suite: String, name: String)]
    }

    private static func rows() throws -> (sections: [String], rows: [Row]) {
        let page = root.appending(path: "Documentation/Semantics.md")
        var sections: [String] = []
        var rows: [Row] = []
        var isTable = false
        for line in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n") {
            if line.hasPrefix("## ") { sections.append(String(line.dropFirst(3))) }
            if line.hasSuffix("| held by |") {
                isTable = true
            } else if !line.hasPrefix("|") {
                isTable = false
            } else if isTable, !line.hasPrefix("| ---") {
                let tests = line.matches(of: /`(\w+)`, "([^"]+)"/).map { (String($0.1), String($0.2)) }
                rows.append(Row(section: try #require(sections.last), text: line.dropFirst(2).prefix(80), tests: tests))
            }
        }
        return (sections, rows)
    }

    /// How the declaration of a type may begin.
    private static let beginnings = [
        "@Suite", "struct ", "class ", "enum ", "extension ", "final ", "private ", "fileprivate ", "package ",
    ]

    /// The names of the tests of each suite. A test belongs to the type around it that is indented least deep below it.
    private static func tests() throws -> [String: Set<String>] {
        let folder = root.appending(path: "Tests").path(percentEncoded: false)
        var found: [String: Set<String>] = [:]
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder) where file.hasSuffix(".swift") {
            let lines = try String(contentsOfFile: folder + "/" + file, encoding: .utf8).components(separatedBy: "\n")
            var types: [(indent: Int, name: String)] = []
            for (number, line) in lines.enumerated() {
                let indent = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
                let code = line.dropFirst(indent)
                if code.hasPrefix("@Test(") {
                    // The name may stand in the next line.
                    let call = lines[number..<min(lines.count, number + 3)].joined()
                    guard let name = call.firstMatch(of: /@Test\(\s*"((?:[^"\\]|\\.)*)"/)?.1 else { continue }
                    let suite = types.last { $0.indent < indent }?.name
                    found[suite ?? "", default: []].insert(String(name))
                } else if Self.beginnings.contains(where: code.hasPrefix),
                    let name = code.firstMatch(of: /\b(?:struct|class|enum|extension) (\w+)/)?.1
                {
                    types.removeAll { $0.indent >= indent }
                    types.append((indent, String(name)))
                }
            }
        }
        return found
    }

    @Test("each rule names tests, and each of them exists")
    func exist() throws {
        let (_, rows) = try Self.rows()
        let tests = try Self.tests()
        #expect(rows.count > 300 && tests.count > 150)
        for row in rows where !row.text.contains("not offered") {
            #expect(!row.tests.isEmpty, "\(row.section): \(row.text)")
            for (suite, name) in row.tests where tests[suite]?.contains(name) != true {
                Issue.record("\(row.section): \(suite) has no test \"\(name)\"")
            }
        }
    }

    @Test("each section has rules")
    func sections() throws {
        let (sections, rows) = try Self.rows()
        #expect(sections.count > 40)
        for section in sections where !rows.contains(where: { $0.section == section }) {
            Issue.record("\(section) says nowhere which tests hold it")
        }
    }
}
