import Foundation
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelReplay

/// Exports of videos that copy frames and sound, beside the command `ffmpeg` with `-c copy`, where it is installed; and
/// the time from a cancellation of a poster to the end of its decode.
struct ExportBench {
    private let options: BenchOptions
    private let progress: ProgressLine
    private static let cancelCount = 40

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    func rows() async throws -> [BenchRow] {
        var rows: [BenchRow] = []
        for video in options.videos {
            guard let path = video.resource.filePath else { throw BenchError("a video without a file") }
            let name = URL(filePath: path).lastPathComponent
            progress.show("exporting \(name)")
            rows.append(try await copies(of: video, path, name))
            progress.show("cancelling posters of \(name)")
            rows.append(try cancellations(of: video, name))
        }
        return rows
    }

    private func copies(of video: Asset, _ path: String, _ name: String) async throws -> BenchRow {
        let manager = ImageManager()
        let session = try await manager.exportSession(for: video, preset: .unchanged)
        let target = path + ".export.mkv"
        defer { try? FileManager.default.removeItem(atPath: target) }
        var (own, others): ([Double], [Double]) = ([], [])
        for _ in 0..<options.rounds {
            own.append(
                try await Stopwatch.asyncMilliseconds {
                    try await session.export(toFile: target, options: ExportOptions { $0.contentType = .matroska })
                }.time)
            if let other = try Self.copy(path, to: target) { others.append(other) }
        }
        await manager.shutdown()
        return BenchRow(
            "video.copy \(name)", unit: "milliseconds", rounds: own, peer: others.isEmpty ? nil : "ffmpeg -c copy",
            peerRounds: others)
    }

    /// Runs ffmpeg and returns its time in milliseconds; nil if it is not installed.
    private static func copy(_ path: String, to target: String) throws -> Double? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "ffmpeg", "-v", "quiet", "-nostdin", "-y", "-i", path, "-map", "0:v", "-map", "0:a?", "-c", "copy",
                target,
            ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let (time, status) = try Stopwatch.milliseconds {
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
        // env ends with 127 if there is no such command.
        return status == 0 ? time : nil
    }

    /// The 99th percentile of the times from cancellations, at random moments, to the ends of the decodes. The peer is
    /// a whole poster.
    private func cancellations(of video: Asset, _ name: String) throws -> BenchRow {
        let head = try PhotographFacts(readingVideo: video.resource.open()).head
        let size = RenderOptions(targetSize: PixelSize(width: 256, height: 256))
        @Sendable func poster(_ token: CancellationToken?) throws -> MonotonicTime {
            let source = try video.resource.open()
            _ = try? Renderer().render(source, head: head, options: size, cancellation: token)
            return .now
        }
        let wholes = try (0..<3).map { _ in
            let start = MonotonicTime.now
            return try poster(nil).milliseconds(since: start)
        }
        var random = SeededGenerator(seed: options.seed)
        let rounds = try (0..<options.rounds).map { _ in
            var times: [Double] = []
            for _ in 0..<Self.cancelCount {
                let token = CancellationToken()
                let delay = random.value(in: 0.02...0.95) * (wholes.min() ?? 0)
                let moment = Mutex<MonotonicTime?>(nil)
                Thread {
                    usleep(UInt32(delay * 1000))
                    moment.withLock { $0 = .now }
                    token.cancel()
                }.start()
                let end = try poster(token)
                // One that had ended before was not stopped.
                if let moment = moment.withLock({ $0 }), moment < end { times.append(end.milliseconds(since: moment)) }
            }
            return Percentiles(of: times).p99
        }
        return BenchRow(
            "video.poster cancel of \(name)", unit: "milliseconds", rounds: rounds, operations: Self.cancelCount,
            peer: "whole poster", peerRounds: wholes)
    }
}
