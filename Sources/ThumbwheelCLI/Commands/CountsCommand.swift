import Thumbwheel
import ThumbwheelReplay

/// `thumbwheel counts`: figures that do not depend on how fast or busy the machine is, and the times of the same
/// operations where they are asked for.
struct CountsCommand: Command {
    enum Kind: String, CaseIterable {
        case replays, allocations, instructions, times
    }

    struct Options: CommandSettings {
        var kinds: [Kind] = [.replays, .allocations, .instructions]
        var rounds = 5
        var json: OutputFile?
    }

    static var table: OptionTable<Options> {
        OptionTable(
            "counts [FIXTURES]",
            [
                CommandOption(
                    "--only", .choices(), \.kinds, "the kinds of figures; without this option, all but times"),
                CommandOption("--rounds", .integer(in: 1...1000), \.rounds, "times that each operation is timed"),
                CommandOption("--json", .file, \.json, "the figures as a document; - for standard output"),
            ])
    }

    private let folder: String
    private let options: Options

    init(_ words: [String]) throws(CommandError) {
        let positional: [String]
        (options, positional) = try Self.table.read(words)
        guard positional.count <= 1 else { throw CommandError("counts takes one folder, of the fixtures") }
        folder = positional.first ?? FixturePictures.defaultFolder
    }

    func run() throws(CommandError) -> ExitStatus {
        try ChildProcess.ensureDeterministicHashing()
        let pictures = try FixturePictures(folder: folder)
        let benchmarks = MicroBenchmark.all(pictures)
        let progress = ProgressLine()
        var figures: [CountsDocument.Figure] = []
        for kind in options.kinds {
            progress.show("counting: \(kind.rawValue)")
            do {
                switch kind {
                case .replays: figures += CountedReplay.all.flatMap { $0.figures() }
                case .allocations: figures += try benchmarks.flatMap { try $0.memoryFigures() }
                case .instructions: figures += try InstructionCounter(folder: folder, benchmarks: benchmarks).figures()
                case .times: figures += try benchmarks.map { try $0.time(rounds: options.rounds) }
                }
            } catch {
                progress.clear()
                throw error as? CommandError ?? CommandError("counts: \(error)")
            }
        }
        progress.clear()
        if let json = options.json {
            try json.write(encoding: try document(figures, pictures))
        } else {
            print(Self.table(figures))
        }
        return .done
    }

    private func document(
        _ figures: [CountsDocument.Figure], _ pictures: FixturePictures
    ) throws(CommandError) -> CountsDocument {
        do throws(ByteSourceError) {
            return CountsDocument(
                host: .current,
                settings: CountsDocument.Settings(
                    workload: CountsDocument.Settings.Workload(photographs: try PhotographSet(reading: pictures.all)),
                    engine: CountsDocument.Settings.Engine(kinds: options.kinds.map(\.rawValue))),
                figures: figures)
        } catch {
            throw CommandError("\(folder): \(error)")
        }
    }

    private static func table(_ figures: [CountsDocument.Figure]) -> String {
        var table = TextTable(header: ["figure", "value", "unit"])
        for figure in figures { table.add([figure.name, figure.value.text(2), figure.unit.rawValue]) }
        return table.text
    }
}
