import Foundation
import ThumbwheelReplay

/// `thumbwheel compare`: two result documents of the same workload, and whether the second is worse.
struct CompareCommand: Command {
    struct Options: CommandSettings {
        /// Nil where the documents' kind decides.
        var tolerance: Double?
        var json: OutputFile?
        var html: OutputFile?
    }

    static var table: OptionTable<Options> {
        OptionTable(
            "compare BASE.json HEAD.json",
            [
                CommandOption("--tolerance", .share, \.tolerance, "how much worse a figure may be"),
                CommandOption("--json", .file, \.json, "the comparison as a document; - for standard output"),
                CommandOption("--html", .file, \.html, "a report to open in a browser"),
            ])
    }

    private let paths: (base: String, head: String)
    private let options: Options

    init(_ words: [String]) throws(CommandError) {
        let positional: [String]
        (options, positional) = try Self.table.read(words)
        guard positional.count == 2 else {
            throw CommandError("compare takes two documents: BASE.json HEAD.json")
        }
        paths = (positional[0], positional[1])
    }

    func run() throws(CommandError) -> ExitStatus {
        let (base, head) = (try Self.read(paths.base), try Self.read(paths.head))
        let comparison: DocumentComparison
        do throws(ResultDocumentError) {
            comparison = try DocumentComparison(base: base, head: head, tolerance: options.tolerance.map { .share($0) })
        } catch {
            throw CommandError("\(paths.base), \(paths.head): \(error)")
        }
        let report = ComparisonReport(
            comparison, base: paths.base, head: paths.head,
            command: "thumbwheel compare \(paths.base) \(paths.head)", host: .current)
        try options.html?.write(Data(report.html.utf8))
        if let json = options.json { try json.write(encoding: comparison) }
        if options.json?.path != "-" { print(comparison.text) }
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
}
