import Foundation
import Thumbwheel
import ThumbwheelReplay

/// The reading of videos' heads, beside ffprobe's of the same files, where it is installed. The processor time that ffprobe
/// takes to start and to end is measured without a file and taken off.
struct VideoHeadBench {
    private let options: BenchOptions
    private let progress: ProgressLine
    private static let readCount = 200
    private static let probeCount = 5

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    func rows() throws -> [BenchRow] {
        let prober = PeerProgram("ffprobe")
        return try options.videos.map { video in
            guard let path = video.resource.filePath else { throw BenchError("a video without a file") }
            let name = URL(filePath: path).lastPathComponent
            progress.show("reading the head of \(name)")
            var (heads, probes): ([Double], [Double]) = ([], [])
            for _ in 0..<options.rounds {
                heads.append(try Self.head(of: path))
                let arguments = ["-v", "quiet", "-show_format", "-show_streams", path]
                guard let empty = try prober.processorTime(["-v", "quiet", "-version"], times: Self.probeCount),
                    let probe = try prober.processorTime(arguments, times: Self.probeCount)
                else { continue }
                probes.append(probe - empty)
            }
            return BenchRow(
                "video.head \(name)", unit: "processor milliseconds", rounds: heads, operations: Self.readCount,
                peer: probes.isEmpty ? nil : "ffprobe", peerRounds: probes)
        }
    }

    /// Reads a head, with the opening of its file, and returns the processor time in milliseconds.
    private static func head(of path: String) throws -> Double {
        let start = ProcessUsage.current.cpuSeconds
        for _ in 0..<readCount {
            Stopwatch.consume(try VideoHead(reading: AssetResource.file(path: path).open()))
        }
        return (ProcessUsage.current.cpuSeconds - start) * 1000 / Double(readCount)
    }
}
