import Thumbwheel
import ThumbwheelReplay

/// `thumbwheel counts`: figures that do not depend on how fast or busy the machine is, and the times of the same
/// operations where they are asked for.
struct CountsCommand {
    enum Kind: String, CaseIterable {
        case replays, allocations, instructions, times
    }

    private let folder: String
    private let kinds: [Kind]
    private let rounds: Int
    private let json: OutputFile?

    init(_ words: [String]) throws(CommandError) {
        let arguments = try Arguments(words, options: ["--only", "--rounds", "--json"], flags: [])
        guard arguments.positional.count <= 1 else { throw CommandError("counts takes one folder, of the fixtures") }
        folder = arguments.positional.first ?? FixturePictures.defaultFolder
        kinds = try arguments.choices("--only", default: [.replays, .allocations, .instructions])
        rounds = try arguments.integer("--rounds", default: 5, in: 1...1000)
        json = try arguments.file("--json")
    }

    func run() throws(CommandError) -> ExitStatus {
        try ChildProcess.ensureDeterministicHashing()
        let pictures = try FixturePictures(folder: folder)
        let benchmarks = MicroBenchmark.all(pictures)
        let progress = ProgressLine()
        var figures: [CountsDocument.Figure] = []
        for kind in kinds {
            progress.show("counting: \(kind.rawValue)")
            do {
                switch kind {
                case .replays: figures += CountedReplay.all.flatMap { $0.figures() }
                case .allocations: figures += try benchmarks.flatMap { try $0.memoryFigures() }
                case .instructions: figures += try InstructionCounter(folder: folder, benchmarks: benchmarks).figures()
                case .times: figures += try benchmarks.map { try $0.time(rounds: rounds) }
                }
            } catch {
                progress.clear()
                throw error as? CommandError ?? CommandError("counts: \(error)")
            }
        }
        progress.clear()
        if let json { try json.write(encoding: try document(figures, pictures)) } else { print(Self.table(figures)) }
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
                    engine: CountsDocument.Settings.Engine(kinds: kinds.map(\.rawValue))),
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
