import Foundation
import Thumbwheel
import ThumbwheelReplay

/// `thumbwheel bench`: what single operations cost, each beside a peer in the same run.
struct BenchCommand {
    private let groups: [BenchGroup]
    private let options: BenchOptions
    private let photographs: [String]
    private let json: OutputFile?

    init(_ words: [String]) throws(CommandError) {
        let arguments = try Arguments(
            words, options: ["--json", "--photos", "--rounds", "--assets", "--seed"], flags: [])
        var groups: [BenchGroup] = []
        for word in arguments.positional {
            guard let group = BenchGroup(rawValue: word) else {
                throw CommandError(
                    "bench \(word): use any of \(BenchGroup.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            groups.append(group)
        }
        self.groups = groups.isEmpty ? BenchGroup.allCases : groups
        var options = BenchOptions()
        options.rounds = try arguments.integer("--rounds", default: options.rounds, in: 1...1000)
        options.assetCount = try arguments.integer("--assets", default: options.assetCount, in: 10_000...10_000_000)
        options.albumCount = max(1, options.assetCount / 500)
        options.seed = UInt64(try arguments.integer("--seed", default: 1, in: 0...Int.max))
        self.options = options
        photographs = arguments.strings("--photos")
        json = try arguments.string("--json").map { path throws(CommandError) in
            try OutputFile(path: path, option: "--json")
        }
    }

    func run() async throws(CommandError) -> ExitStatus {
        let progress = ProgressLine()
        var rows: [BenchRow] = []
        var options = options
        if !photographs.isEmpty {
            options.photographs = try await PhotographArguments(paths: photographs, progress: progress).assets
        }
        for group in groups {
            do {
                rows += try await group.rows(options, progress: progress)
            } catch {
                progress.clear()
                throw CommandError("bench \(group.rawValue): \(error)")
            }
        }
        progress.clear()
        if let json {
            let document = BenchDocument(
                host: .current,
                settings: BenchDocument.Settings(
                    workload: BenchDocument.Settings.Workload(
                        groups: groups.map(\.rawValue), assets: options.assetCount, albums: options.albumCount,
                        seed: options.seed),
                    engine: BenchDocument.Settings.Engine(
                        tool: "thumbwheel", version: ThumbwheelVersion.current, rounds: options.rounds)), results: rows)
            try json.write(encoding: document)
        } else {
            print(Self.table(rows))
        }
        return .done
    }

    private static func table(_ rows: [BenchRow]) -> String {
        var table = TextTable(header: ["operation", "value", "unit", "peer", "peer's", "ratio"])
        for row in rows {
            table.add([
                row.name, row.value.text(4), row.unit, row.peer ?? "", row.peerValue?.text(4) ?? "",
                row.ratio.map { $0.text(5) } ?? "",
            ])
        }
        return table.text
    }
}
