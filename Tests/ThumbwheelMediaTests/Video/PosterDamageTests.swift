import FixtureKit
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelLocks
import ThumbwheelMedia
import ThumbwheelRendering

/// Videos that cannot be shown, and decodes that are stopped.
@Suite(
    "Posters that fail", .enabled(if: ClipPicture.maker != nil, "the command ffmpeg is not installed"),
    .takesTurns, .endsHangs)
struct PosterDamageTests {
    private static let options = RenderOptions(targetSize: PixelSize(width: 64, height: 64))

    @Test("damaged and cut files end as pictures or as typed errors")
    func damage() async {
        await #expect(processExitsWith: .success) { try Self.renderDamage() }
    }

    private static func renderDamage() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for name in ["h264.mp4", "fragments.mp4", "h264.mkv", "vp9.webm", "mpeg4.avi", "hdr.mov", "av1.mp4"] {
            guard let clip = try ClipPicture(named: name, in: folder) else { continue }
            let sound = try clip.bytes
            let head = try PhotographFacts(readingVideo: clip.source).head
            for round in 0..<60 {
                var bytes = sound
                if round % 3 == 0 {
                    bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
                } else {
                    for _ in 0..<(round % 3 == 1 ? 4 : 400) {
                        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                            in: 0...255, using: &generator)
                    }
                }
                do throws(RenderError) {
                    _ = try Renderer().render(
                        MemoryByteSource(bytes), head: head, options: options, limits: .unhurried)
                } catch {
                    #expect(error != .cancelled && error.code != "timeLimitExceeded", "\(name): \(error)")
                }
            }
        }
    }

    @Test("a video of which too much would have to be read or decoded is refused")
    func limits() async {
        await #expect(processExitsWith: .success) { try Self.renderBeyondLimits() }
    }

    private static func renderBeyondLimits() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        guard let clip = try ClipPicture(named: "h264.mp4", in: folder) else { return }
        for (limits, limit) in [
            (RenderLimits(pixelCount: 1000), RenderError.Limit.pixels), (RenderLimits(byteCount: 2000), .bytes),
            (RenderLimits(memoryByteCount: 1 << 20), .memory), (RenderLimits(duration: .zero), .duration),
        ] {
            #expect(throws: RenderError.limitExceeded(limit: limit)) {
                try ClipPicture.render(clip.source, options, limits: limits)
            }
        }
        var early = options
        early.frameTime = -1
        #expect(throws: RenderError.invalidRequest(reason: "a frame at -1.0 seconds")) {
            try ClipPicture.render(clip.source, early)
        }
    }

    @Test("only the index and the frame are read")
    func ranges() async {
        await #expect(processExitsWith: .success) { try Self.countReads() }
    }

    private static func countReads() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(width: 640, height: 360, seconds: 8)
        for name in ["long.mp4", "long.mkv"] {
            let clip = Clip(name, encoder: "libx264", pictures, ["-b:v", "4M", "-maxrate", "4M", "-bufsize", "1M"])
            guard let picture = try ClipPicture(clip, in: folder) else { continue }
            let source = CountingSource(try picture.bytes)
            // The length of the file does not count for the limit, only what is read of it.
            _ = try ClipPicture.render(source, options, limits: RenderLimits(byteCount: source.byteCount / 2))
            #expect(source.readByteCount < source.byteCount / 4, "\(name): \(source.readByteCount)")
        }
    }

    @Test("a cancelled token ends the decode with the next read")
    func cancellation() async {
        await #expect(processExitsWith: .success) { try Self.cancelReads() }
    }

    private static func cancelReads() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        guard let clip = try ClipPicture(named: "h264.mp4", in: folder) else { return }
        let bytes = try clip.bytes
        let head = try PhotographFacts(readingVideo: clip.source).head
        let whole = CountingSource(bytes)
        _ = try Renderer().render(whole, head: head, options: options)
        #expect(whole.readCount > 3)
        for read in 1...whole.readCount {
            let token = CancellationToken()
            let source = CountingSource(bytes, cancelling: token, atRead: read)
            #expect(throws: RenderError.cancelled, "cancelled at read \(read) of \(whole.readCount)") {
                try Renderer().render(source, head: head, options: options, cancellation: token)
            }
            // The head of the file is read by several reads, without asking.
            #expect(source.readCount <= read + 3)
        }
    }

    @Test("a video of a codec that is not decoded shows its cover, or fails as unsupported")
    func codecs() async {
        await #expect(processExitsWith: .success) { try Self.renderOtherCodecs() }
    }

    private static func renderOtherCodecs() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let clip = Clip("flash.avi", encoder: "flv", Clip.Pictures(seconds: 1, hasSound: false))
        if let picture = try ClipPicture(clip, in: folder) {
            #expect(throws: RenderError.unsupportedFormat) { try ClipPicture.render(picture.source, options) }
        }
        // Where the frames are damaged, the cover is shown.
        guard let covered = try ClipPicture(named: "cover.mp4", in: folder) else { return }
        let facts = try PhotographFacts(readingVideo: covered.source)
        let cover = try #require(facts.head.previews.first)
        var bytes = try covered.bytes
        let whole = try Renderer().render(covered.source, head: facts.head, options: options)
        #expect(whole.decoder == .libavcodec && whole.source == .full)
        let media = try #require(bytes.firstRange(of: Array("mdat".utf8)))
        for index in media.upperBound..<min(media.upperBound + 200_000, bytes.count - 20_000)
        where !cover.byteRange.contains(index) { bytes[index] = 0xFF }
        let image = try Renderer().render(MemoryByteSource(bytes), head: facts.head, options: options)
        #expect(image.source == .embedded)
    }

    @Test("a file that becomes shorter or another one while it is read ends as a picture or as a typed error")
    func changes() async {
        await #expect(processExitsWith: .success) { try Self.renderChanging() }
    }

    private static func renderChanging() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        for name in ["h264.mp4", "fragments.mp4", "h264.mkv", "mpeg4.avi"] {
            guard let clip = try ClipPicture(named: name, in: folder) else { continue }
            let bytes = try clip.bytes
            let head = try PhotographFacts(readingVideo: clip.source).head
            var strip = [options, options]
            (strip[0].frameTime, strip[1].frameTime) = (0, 1.5)
            let whole = CountingSource(bytes)
            _ = try Renderer().render(whole, head: head, options: strip)
            for rest in [[], Array(bytes.reversed())] {
                for read in 1...whole.readCount {
                    let source = ChangingSource(bytes, becoming: rest, afterRead: read)
                    do throws(RenderError) {
                        let results = try Renderer().render(source, head: head, options: strip, limits: .unhurried)
                        for result in results { _ = try result.get() }
                    } catch {
                        #expect(
                            error != .cancelled && error.code != "timeLimitExceeded",
                            "\(name), \(rest.count) bytes after read \(read): \(error)")
                    }
                }
            }
        }
    }
}

/// A source whose file is overwritten while it is read. It goes on saying how long the file was at first.
private final class ChangingSource: ByteSource {
    private let first: MemoryByteSource
    private let second: MemoryByteSource
    private let change: Int
    private let readCount = Mutex(0)

    init(_ first: [UInt8], becoming second: [UInt8], afterRead change: Int) {
        (self.first, self.second) = (MemoryByteSource(first), MemoryByteSource(second))
        self.change = change
    }

    var byteCount: Int { first.byteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        let count = readCount.withLock { count in
            count += 1
            return count
        }
        return count > change ? second.read(into: buffer, at: offset) : first.read(into: buffer, at: offset)
    }
}
