import Foundation
import Thumbwheel

/// Decoding outside the process: the cost of an image beside the same decode in the process, cancelling, and the processes
/// themselves.
struct IsolationBench {
    private let options: BenchOptions
    private let progress: ProgressLine

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    private static let startCount = 20
    private static let target = RenderOptions(targetSize: PixelSize(width: 256, height: 256))

    private static func pool(readyCount: Int, jobLimit: Int = 256) -> DecoderPool {
        var configuration = DecoderPool.Configuration(readyCount: readyCount)
        configuration.executable = OwnDecoder.path
        configuration.jobLimit = jobLimit
        return DecoderPool(configuration)
    }

    func rows() throws -> [BenchRow] {
        progress.show("isolation: starting processes")
        var rows = try startRows()
        let isolation = RenderIsolation(.all, pool: Self.pool(readyCount: 1))!
        progress.show("isolation: a small image")
        rows.append(try costRow(BenchPictures.tiny(seed: options.seed), times: 100, isolation))
        progress.show("isolation: making pictures")
        for picture in try BenchPictures.large(seed: options.seed) {
            progress.show("isolation: \(picture.name)")
            rows.append(try costRow(picture, times: 1, isolation))
            rows += try ManagerCancelBench(options, picture, isolation: isolation).rows()
        }
        return rows
    }

    /// The time of a process's start, and the memory that it holds for itself while it waits for a job.
    private func startRows() throws -> [BenchRow] {
        let pool = Self.pool(readyCount: 0, jobLimit: 1)
        let first = try Stopwatch.milliseconds { try pool.withProcess { _ in } }.time
        var (rounds, memory): ([Double], [Double]) = ([], [])
        for _ in 0..<options.rounds {
            rounds.append(
                try Stopwatch.milliseconds {
                    for _ in 0..<Self.startCount { try pool.withProcess { _ in } }
                }.time / Double(Self.startCount))
            memory.append(try pool.withProcess { Self.privateMebibytes(of: $0) } ?? .nan)
        }
        return [
            BenchRow(
                "isolation.start", unit: "milliseconds", rounds: rounds, operations: Self.startCount,
                peer: "the first, with its template", peerRounds: [first]),
            BenchRow("isolation.idle", unit: "MiB", rounds: memory),
        ]
    }

    /// The memory of a process that it shares with no other; nil if the system does not tell.
    private static func privateMebibytes(of process: Int) -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8) else {
            return nil
        }
        let kibibytes = text.split(separator: "\n").filter { $0.hasPrefix("Private_") }
            .compactMap { line in line.split(separator: " ").dropFirst().first.flatMap { Double($0) } }
        return kibibytes.isEmpty ? nil : kibibytes.reduce(0, +) / 1024
    }

    /// The same file in a decoder process and in this process, in turn.
    private func costRow(_ picture: BenchPicture, times: Int, _ isolation: RenderIsolation) throws -> BenchRow {
        let source = try picture.asset.resource.open()
        func render(by renderer: Renderer) throws {
            for _ in 0..<times {
                Stopwatch.consume(try renderer.render(source, head: picture.asset.head, options: Self.target))
            }
        }
        let outside = Renderer(assistants: nil, isolation: isolation)
        try render(by: outside)
        let rounds = try Stopwatch.interleaved(rounds: options.rounds) {
            try render(by: outside)
        } _: {
            try render(by: Renderer())
        }
        return BenchRow(
            "isolation.\(picture.name)", unit: "milliseconds", rounds: rounds.one.map { $0 / Double(times) },
            operations: times, peer: "in the process", peerRounds: rounds.other.map { $0 / Double(times) })
    }
}
