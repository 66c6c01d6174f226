// Lists the public declarations in a folder of symbol graphs that have no doc comment, and ends with 1 if there are any.
// Declarations that the compiler makes are left out; those that meet a requirement have its comment.
import Foundation

struct Graph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { var precise: String }
        struct Kind: Decodable { var identifier: String }
        struct Comment: Decodable {
            struct Line: Decodable { var text: String }
            var lines: [Line]
        }
        struct Location: Decodable {
            struct Position: Decodable { var line: Int }
            var uri: String
            var position: Position
        }

        var identifier: Identifier
        var kind: Kind
        var pathComponents: [String]
        var docComment: Comment?
        var location: Location?

        var isWritten: Bool {
            location != nil && kind.identifier != "swift.extension" && !identifier.precise.contains("::SYNTHESIZED::")
        }

        var hasComment: Bool { docComment?.lines.contains { !$0.text.allSatisfy(\.isWhitespace) } ?? false }
    }

    var symbols: [Symbol]
}

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
var symbols: [String: Graph.Symbol] = [:]
for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
where file.lastPathComponent.hasSuffix(".symbols.json") {
    for symbol in try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file)).symbols where symbol.isWritten {
        symbols[symbol.identifier.precise] = symbol
    }
}
guard symbols.count > 1000 else {
    print("There are only \(symbols.count) public declarations in \(folder.path): the graphs are incomplete.")
    exit(1)
}

let root = FileManager.default.currentDirectoryPath + "/"
let undocumented = symbols.values.filter { !$0.hasComment }.map { symbol in
    let path = symbol.location!.uri.replacingOccurrences(of: "file://", with: "").replacingOccurrences(
        of: root, with: "")
    return (path, symbol.location!.position.line + 1, symbol.pathComponents.joined(separator: "."))
}
for (path, line, name) in undocumented.sorted(by: <) { print("\(path):\(line): \(name) has no doc comment") }
print("\(symbols.count) public declarations, \(undocumented.count) of them without a doc comment")
exit(undocumented.isEmpty ? 0 : 1)
