import Foundation
import ThumbwheelReplay

/// `thumbwheel gate`: another build of the command and this one, measured one after the other on this machine.
///
/// Counts decide. Times, of interleaved rounds, are advice; one that is past its tolerance is measured twice more, and
/// decides where it is past it in both repeats as well.
struct GateCommand {
    private let base: String
    private let folder: String
    private let rounds: Int
    private let names: (base: String, head: String)
    private let json: OutputFile?
    private let html: OutputFile?

    private static let repeatCount = 2

    init(_ words: [String]) throws(CommandError) {
        let arguments = try Arguments(
            words, options: ["--base", "--fixtures", "--rounds", "--base-name", "--head-name", "--json", "--html"],
            flags: [])
        guard let base = arguments.string("--base"), arguments.positional.isEmpty else {
            throw CommandError("gate needs --base, the executable of the build to compare this one with")
        }
        guard FileManager.default.isExecutableFile(atPath: base) else {
            throw CommandError("--base \(base): is not an executable")
        }
        self.base = base
        folder = arguments.string("--fixtures") ?? FixturePictures.defaultFolder
        rounds = try arguments.integer("--rounds", default: 7, in: 0...1000)
        names = (arguments.string("--base-name") ?? base, arguments.string("--head-name") ?? "this build")
        json = try arguments.file("--json")
        html = try arguments.file("--html")
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
        try html?.write(Data(report.html.utf8))
        try json?.write(encoding: comparison)
        if json?.path != "-" { print(comparison.text) }
        return comparison.hasRegression ? .negative : .done
    }

    private func times(_ progress: ProgressLine) throws(CommandError) -> [DocumentComparison.Row] {
        guard rounds > 0 else { return [] }
        var measurements = [try measurement(progress)]
        while measurements.count <= Self.repeatCount, measurements.allSatisfy(\.hasSlower) {
            measurements.append(try measurement(progress))
        }
        return TimedRounds.rows(measurements)
    }

    private func measurement(_ progress: ProgressLine) throws(CommandError) -> TimedRounds {
        var times = TimedRounds()
        for round in 0..<rounds {
            progress.show("timing: round \(round + 1) of \(rounds)")
            let options = ["--only", "times"]
            // Who comes first changes, lest one always finds what the other has left behind.
            if round.isMultiple(of: 2) {
                let base = try measure(base, options)
                times.add(base: base, head: try measure(ChildProcess.ownPath, options))
            } else {
                let head = try measure(ChildProcess.ownPath, options)
                times.add(base: try measure(base, options), head: head)
            }
        }
        return times
    }

    private func measure(_ executable: String, _ options: [String]) throws(CommandError) -> ResultDocument {
        let outcome = try ChildProcess.run(executable, ["counts", folder, "--json", "-"] + options)
        guard outcome.status == 0 else { throw CommandError("\(executable): \(outcome.reason)") }
        do throws(ResultDocumentError) {
            return try ResultDocument(outcome.output)
        } catch {
            throw CommandError("\(executable): \(error)")
        }
    }
}
