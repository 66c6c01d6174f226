import Foundation
import ThumbwheelReplay

/// `thumbwheel compare`: two result documents of the same workload, and whether the second is worse.
struct CompareCommand {
    private let paths: (base: String, head: String)
    /// Nil where the documents' kind decides.
    private let tolerance: Double?
    private let json: OutputFile?
    private let html: OutputFile?

    init(_ words: [String]) throws(CommandError) {
        let arguments = try Arguments(words, options: ["--tolerance", "--json", "--html"], flags: [])
        guard arguments.positional.count == 2 else {
            throw CommandError("compare takes two documents: BASE.json HEAD.json")
        }
        paths = (arguments.positional[0], arguments.positional[1])
        tolerance = try arguments.string("--tolerance").map(Self.share)
        json = try arguments.file("--json")
        html = try arguments.file("--html")
    }

    func run() throws(CommandError) -> ExitStatus {
        let (base, head) = (try Self.read(paths.base), try Self.read(paths.head))
        let comparison: DocumentComparison
        do throws(ResultDocumentError) {
            comparison = try DocumentComparison(base: base, head: head, tolerance: tolerance.map { .share($0) })
        } catch {
            throw CommandError("\(paths.base), \(paths.head): \(error)")
        }
        let report = ComparisonReport(
            comparison, base: paths.base, head: paths.head,
            command: "thumbwheel compare \(paths.base) \(paths.head)", host: .current)
        try html?.write(Data(report.html.utf8))
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
