import Foundation
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelReplay

/// The posters and strips of videos. A poster is measured beside ffmpegthumbnailer's of the same file, and a frame in the
/// middle beside that of the command ffmpeg, where these are installed; the processor time that they take to start and to
/// end is measured without a file and taken off. A strip of ten frames is measured beside ten frames that are requested
/// one by one.
struct PosterBench {
    private let options: BenchOptions
    private let progress: ProgressLine
    private static let posterCount = 3
    private static let side = 256

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    func rows() throws -> [BenchRow] {
        let (thumbnailer, ffmpeg) = (PeerProgram("ffmpegthumbnailer"), PeerProgram("ffmpeg"))
        return try options.videos.flatMap { video in
            guard let path = video.resource.filePath else { throw BenchError("a video without a file") }
            let name = URL(filePath: path).lastPathComponent
            progress.show("making posters of \(name)")
            let facts = try PhotographFacts(readingVideo: video.resource.open())
            let times = (0..<10).map { Double($0) * facts.duration / 10 }
            var (posters, thumbnails): ([Double], [Double]) = ([], [])
            var (strips, frames): ([Double], [Double]) = ([], [])
            var (middles, others): ([Double], [Double]) = ([], [])
            var byteCount = 0
            for _ in 0..<options.rounds {
                posters.append(
                    try Self.processorTime(times: Self.posterCount) {
                        let source = CountingByteSource(try video.resource.open())
                        try Self.render([nil], of: source, head: facts.head)
                        byteCount = source.readByteCount
                    })
                strips.append(
                    try Self.processorTime { try Self.render(times, of: video.resource.open(), head: facts.head) })
                frames.append(
                    try Self.processorTime {
                        for time in times { try Self.render([time], of: video.resource.open(), head: facts.head) }
                    })
                middles.append(
                    try Self.processorTime(times: Self.posterCount) {
                        try Self.render([facts.duration / 2], of: video.resource.open(), head: facts.head)
                    })
                let middle = [
                    "-v", "quiet", "-nostdin", "-ss", "\(facts.duration / 2)", "-i", path, "-frames:v", "1", "-vf",
                    "scale=\(Self.side):-2", "-f", "null", "-",
                ]
                if let empty = try ffmpeg.processorTime(["-v", "quiet", "-version"], times: Self.posterCount),
                    let whole = try ffmpeg.processorTime(middle, times: Self.posterCount)
                {
                    others.append(whole - empty)
                }
                let arguments = ["-i", path, "-o", "/dev/null", "-c", "png", "-s", "\(Self.side)"]
                guard let empty = try thumbnailer.processorTime(["-v"], times: Self.posterCount),
                    let whole = try thumbnailer.processorTime(arguments, times: Self.posterCount)
                else { continue }
                thumbnails.append(whole - empty)
            }
            let unit = "processor milliseconds"
            return [
                BenchRow(
                    "video.poster \(name)", unit: unit, rounds: posters, operations: Self.posterCount,
                    peer: thumbnails.isEmpty ? nil : "ffmpegthumbnailer", peerRounds: thumbnails),
                BenchRow(
                    "video.frame in the middle of \(name)", unit: unit, rounds: middles, operations: Self.posterCount,
                    peer: others.isEmpty ? nil : "ffmpeg -ss", peerRounds: others),
                BenchRow("video.poster bytes read of \(name)", unit: "bytes", rounds: [Double(byteCount)]),
                BenchRow(
                    "video.strip \(name)", unit: unit, rounds: strips, peer: "ten frames one by one",
                    peerRounds: frames),
            ]
        }
    }

    private static func render(_ times: [Double?], of source: any ByteSource, head: ImageHead) throws {
        let options = times.map { time in
            var options = RenderOptions(
                targetSize: PixelSize(width: side, height: side), contentMode: .aspectFit, resizeMode: .exact)
            options.frameTime = time
            return options
        }
        for result in try Renderer().render(source, head: head, options: options) {
            Stopwatch.consume(try result.get())
        }
    }

    /// The mean processor time of some runs, in milliseconds.
    private static func processorTime(times: Int = 1, _ body: () throws -> Void) rethrows -> Double {
        let start = ProcessUsage.current.cpuSeconds
        for _ in 0..<times { try body() }
        return (ProcessUsage.current.cpuSeconds - start) * 1000 / Double(times)
    }
}

/// A source that counts the bytes that are read of it.
private final class CountingByteSource: ByteSource {
    private let source: any ByteSource
    private let count = Mutex(0)

    init(_ source: any ByteSource) { self.source = source }

    var byteCount: Int { source.byteCount }
    var readByteCount: Int { count.withLock { $0 } }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        let read = try source.read(into: buffer, at: offset)
        count.withLock { $0 += read }
        return read
    }
}
