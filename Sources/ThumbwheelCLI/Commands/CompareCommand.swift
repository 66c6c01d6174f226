import Foundation
import ThumbwheelReplay

/// `thumbwheel compare`: two result documents of the same workload, and whether the second is worse.
struct CompareCommand {
    private let paths: (base: String, head: String)
    private let tolerance: Double
    private let json: OutputFile?

    init(_ words: [String]) throws(CommandError) {
        let arguments = try Arguments(words, options: ["--tolerance", "--json"], flags: [])
        guard arguments.positional.count == 2 else {
            throw CommandError("compare takes two documents: BASE.json HEAD.json")
        }
        paths = (arguments.positional[0], arguments.positional[1])
        tolerance = try Self.share(arguments.string("--tolerance") ?? "3%")
        json = try arguments.file("--json")
    }

    func run() throws(CommandError) -> ExitStatus {
        let (base, head) = (try Self.read(paths.base), try Self.read(paths.head))
        let comparison: DocumentComparison
        do throws(ResultDocumentError) {
            comparison = try DocumentComparison(base: base, head: head, tolerance: tolerance)
        } catch {
            throw CommandError("\(paths.base), \(paths.head): \(error)")
        }
        if let json { try json.write(encoding: comparison) }
        if json?.path != "-" { print(comparison.text) }
        return comparison.hasRegression ? .negative : .done
    }

    private static func read(_ path: String) throws(CommandError) -> ResultDocument {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError("\(path): cannot be read")
        }
        do throws(ResultDocumentError) {
            return try ResultDocument(data)
        } catch {
            throw CommandError("\(path): \(error)")
        }
    }

    /// Reads `3%` or `0.03`.
    private static func share(_ text: String) throws(CommandError) -> Double {
        let number = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
        guard let number, number >= 0, number <= 10 else {
            throw CommandError("--tolerance \(text): give a share such as 3%")
        }
        return number
    }
}

extension DocumentComparison {
    /// The table for people: figures that have a direction.
    fileprivate var text: String {
        var table = TextTable(header: ["figure", "better is", "base", "head", "ratio", "verdict"])
        for row in rows where row.direction != .neither {
            let part = row.part == row.headPart ? row.part : "\(row.part) → \(row.headPart)"
            table.add([
                "\(part) \(row.key)", row.direction.rawValue, row.base.text(3), row.head.text(3),
                row.ratio?.text(3) ?? "–", row.verdict.rawValue,
            ])
        }
        let worse = rows.count { $0.verdict == .worse }
        let verdict =
            worse == 0
            ? "No figure is worse by more than \((tolerance * 100).text(1)) %."
            : "\(worse) figures are worse by more than \((tolerance * 100).text(1)) %."
        return table.text + "\n\n" + verdict
    }
}
