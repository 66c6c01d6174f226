import Foundation
import Thumbwheel
import ThumbwheelReplay

/// `thumbwheel bench`: what single operations cost, each beside a peer in the same run.
struct BenchCommand: Command {
    struct Options: CommandSettings {
        var assetCount = 1_000_000
        var rounds = 5
        var seed: UInt64 = 1
        var photographs: String?
        var fileCount = 10_000
        var json: OutputFile?
    }

    static var table: OptionTable<Options> {
        OptionTable(
            "bench [" + BenchGroup.allCases.map(\.rawValue).joined(separator: "] [") + "]",
            [
                CommandOption("--assets", .integer(in: 10_000...10_000_000), \.assetCount, "assets of the library"),
                CommandOption("--rounds", .integer(in: 1...1000), \.rounds, "times that each operation is measured"),
                CommandOption("--seed", .seed, \.seed, "the seed of the library and of the orders"),
                CommandOption(
                    "--photos", .text("FOLDER"), \.photographs,
                    "photographs whose thumbnails are packed, that are imported, rendered with an idle worker and cancelled, and "
                        + "that servers render beside a Redis; videos whose heads are read"),
                CommandOption(
                    "--files", .integer(in: 1...1_000_000), \.fileCount,
                    "files that are imported, links to the photographs"),
                CommandOption("--json", .file, \.json, "the figures as a document; - for standard output"),
            ])
    }

    private let groups: [BenchGroup]
    private let options: BenchOptions
    private let photographs: [String]
    private let json: OutputFile?

    init(_ words: [String]) throws(CommandError) {
        let (given, positional) = try Self.table.read(words)
        var groups: [BenchGroup] = []
        for word in positional {
            guard let group = BenchGroup(rawValue: word) else {
                throw CommandError(
                    "bench \(word): use any of \(BenchGroup.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            groups.append(group)
        }
        self.groups = groups.isEmpty ? BenchGroup.usual : groups
        options = BenchOptions(
            rounds: given.rounds, assetCount: given.assetCount, albumCount: max(1, given.assetCount / 500),
            seed: given.seed, fileCount: given.fileCount)
        photographs = given.photographs.map { [$0] } ?? []
        json = given.json
    }

    func run() async throws(CommandError) -> ExitStatus {
        let progress = ProgressLine()
        var rows: [BenchRow] = []
        var options = options
        if !photographs.isEmpty {
            let found = try await PhotographArguments(paths: photographs, progress: progress)
            options.photographs = found.assets.filter(\.isImage)
            options.photographPaths = photographs
            options.videos = found.assets.filter(\.isVideo)
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
