import Foundation
import Thumbwheel
import ThumbwheelReplay

/// Exports of videos that copy frames and sound, beside the command `ffmpeg` with `-c copy`, where it is installed.
struct ExportBench {
    private let options: BenchOptions
    private let progress: ProgressLine

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
            let arguments = [
                "-v", "quiet", "-nostdin", "-y", "-i", path, "-map", "0:v", "-map", "0:a?", "-c", "copy", target,
            ]
            if let other = try PeerProgram("ffmpeg").time(arguments) { others.append(other) }
        }
        await manager.shutdown()
        return BenchRow(
            "video.copy \(name)", unit: "milliseconds", rounds: own, peer: others.isEmpty ? nil : "ffmpeg -c copy",
            peerRounds: others)
    }
}
