import Foundation
import Thumbwheel
import ThumbwheelRedis

/// A process of a benchmark that renders as a server does: one image at a time, with a Redis that it shares with others.
///
/// The command starts itself once more for it. A variable of the environment says so and no option, because only a benchmark
/// has a use for it. Each line of standard input is an order; each line of standard output is the answer to one.
struct BenchServer {
    /// The variable of the environment whose value is the address of the Redis, or `none`.
    static let variable = "THUMBWHEEL_BENCH_SERVER"
    /// The line that is written before the first order is read.
    static let greeting = "ready"

    static var isWanted: Bool { getenv(variable) != nil }

    private let assets: [Asset]
    private let manager: ImageManager

    /// Reads the heads of photographs, then renders the ones that are ordered until standard input ends.
    static func run(_ paths: [String]) async throws(CommandError) -> ExitStatus {
        let photographs = try await PhotographArguments(paths: paths, progress: ProgressLine())
        let shared = getenv(variable).flatMap { RedisURL(String(cString: $0)) }
            .map { RedisStore(RedisStore.Configuration(url: $0)) }
        defer { shared?.close() }
        let manager = ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = 1
                $0.keepsRenditions = false
                $0.sharedStore = shared
            }, recordsRenders: false)
        let server = BenchServer(assets: photographs.assets.filter(\.isImage), manager: manager)
        write(greeting)
        while let line = readLine() {
            guard let order = BenchServerOrder(line), server.assets.indices ~= order.photograph else {
                throw CommandError("an order that cannot be read: \(line)")
            }
            write(await server.answer(to: order).text)
        }
        await manager.shutdown()
        return .done
    }

    private static func write(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private func answer(to order: BenchServerOrder) async -> BenchServerAnswer {
        let (time, origin) = await Stopwatch.asyncMilliseconds {
            await withCheckedContinuation { continuation in
                manager.requestImageData(
                    for: assets[order.photograph], targetSize: PixelSize(width: order.side, height: order.side),
                    encoding: .jpeg(quality: 82)
                ) { result in
                    switch result {
                    case .final(_, let info): continuation.resume(returning: BenchServerAnswer.Origin(info))
                    case .failed, .cancelled: continuation.resume(returning: .failed)
                    }
                }
            }
        }
        return BenchServerAnswer(milliseconds: time, origin: origin)
    }
}

extension BenchServerAnswer.Origin {
    fileprivate init(_ info: ImageInfo) {
        self = info.isPartial ? .partial : info.isFromStore ? .shared : .rendered
    }
}
