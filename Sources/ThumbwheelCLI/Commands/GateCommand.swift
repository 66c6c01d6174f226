import Foundation
import ThumbwheelReplay

/// `thumbwheel gate`: another build of the command and this one, measured one after the other on this machine.
///
/// Counts decide. Times, of interleaved rounds, are advice; one that is past its tolerance is measured twice more, and
/// decides where it is past it in both repeats as well.
struct GateCommand: Command {
    struct Options: CommandSettings {
        var base: String?
        var folder = FixturePictures.defaultFolder
        var rounds = 7
        var baseName: String?
        var headName = "this build"
        var json: OutputFile?
        var html: OutputFile?
    }

    static var table: OptionTable<Options> {
        OptionTable(
            "gate",
            [
                CommandOption("--base", .text("EXECUTABLE"), \.base, "the build to compare this one with; needed"),
                CommandOption("--fixtures", .text("FOLDER"), \.folder, "the generated photographs"),
                CommandOption(
                    "--rounds", .integer(in: 0...1000), \.rounds, "rounds of times; with 0, only counts are compared"),
                CommandOption("--base-name", .text("TEXT"), \.baseName, "what the report calls the other build"),
                CommandOption("--head-name", .text("TEXT"), \.headName, "what the report calls this build"),
                CommandOption("--json", .file, \.json, "the comparison as a document; - for standard output"),
                CommandOption("--html", .file, \.html, "a report to open in a browser"),
            ])
    }

    private let base: String
    private let options: Options
    private var names: (base: String, head: String) { (options.baseName ?? base, options.headName) }

    private static let repeatCount = 2

    init(_ words: [String]) throws(CommandError) {
        let positional: [String]
        (options, positional) = try Self.table.read(words)
        guard let base = options.base, positional.isEmpty else {
            throw CommandError("gate needs --base, the executable of the build to compare this one with")
        }
        guard FileManager.default.isExecutableFile(atPath: base) else {
            throw CommandError("--base \(base): is not an executable")
        }
        self.base = base
    }

    func run() throws(CommandError) -> ExitStatus {
        let progress = ProgressLine()
        progress.show("counting: base")
        let before = try measure(base, [])
        progress.show("counting: head")
        let after = try measure(ChildProcess.ownPath, [])
        var comparison: DocumentComparison
        do throws(ResultDocumentError) {
            comparison = try DocumentComparison(base: before, head: after, tolerance: .oneMachine)
        } catch {
            throw CommandError("\(names.base), \(names.head): \(error)")
        }
        comparison.add(try times(progress))
        progress.clear()
        let report = ComparisonReport(
            comparison, base: names.base, head: names.head, command: "thumbwheel gate --base \(base)", host: .current)
        try options.html?.write(Data(report.html.utf8))
        try options.json?.write(encoding: comparison)
        if options.json?.path != "-" { print(comparison.text) }
        return comparison.hasRegression ? .negative : .done
    }

    private func times(_ progress: ProgressLine) throws(CommandError) -> [DocumentComparison.Row] {
        guard options.rounds > 0 else { return [] }
        var measurements = [try measurement(progress)]
        while measurements.count <= Self.repeatCount, measurements.allSatisfy(\.hasSlower) {
            measurements.append(try measurement(progress))
        }
        return TimedRounds.rows(measurements)
    }

    private func measurement(_ progress: ProgressLine) throws(CommandError) -> TimedRounds {
        var times = TimedRounds()
        for round in 0..<options.rounds {
            progress.show("timing: round \(round + 1) of \(options.rounds)")
            let words = ["--only", "times"]
            // Who comes first changes, lest one always finds what the other has left behind.
            if round.isMultiple(of: 2) {
                let base = try measure(base, words)
                times.add(base: base, head: try measure(ChildProcess.ownPath, words))
            } else {
                let head = try measure(ChildProcess.ownPath, words)
                times.add(base: try measure(base, words), head: head)
            }
        }
        return times
    }

    private func measure(_ executable: String, _ words: [String]) throws(CommandError) -> ResultDocument {
        let outcome = try ChildProcess.run(executable, ["counts", options.folder, "--json", "-"] + words)
        guard outcome.status == 0 else { throw CommandError("\(executable): \(outcome.reason)") }
        do throws(ResultDocumentError) {
            return try ResultDocument(outcome.output)
        } catch {
            throw CommandError("\(executable): \(error)")
        }
    }
}
