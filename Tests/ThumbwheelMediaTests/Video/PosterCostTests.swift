import FixtureKit
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelMedia

@testable import ThumbwheelRendering

/// The bytes that are read for a frame, and the memory that an index takes.
@Suite(
    "Costs of posters", .enabled(if: ClipPicture.maker != nil, "the command ffmpeg is not installed"),
    .takesTurns, .endsHangs)
struct PosterCostTests {
    private static let options = RenderOptions(targetSize: PixelSize(width: 64, height: 64))

    @Test("an index of more frames than memory allows is refused, however few bytes state it")
    func index() async {
        await #expect(processExitsWith: .success) { try Self.refuseIndex() }
    }

    private static func refuseIndex() throws {
        VideoDecoding.install()
        let count = 40_000_000
        var file = MovieFile()
        file.tracks[0].times = [(count, 1)]
        file.tracks[0].tableEnd =
            BoxBytes.full("stsc", BoxBytes.big(1, 4) + BoxBytes.big(1, 4) + BoxBytes.big(count, 4) + BoxBytes.big(1, 4))
            + BoxBytes.full("stco", BoxBytes.big(1, 4) + BoxBytes.big(1024, 4))
        // A list of edits repeats the frames of the index.
        var repeated = file
        repeated.tracks[0].times = [(20_000, 1)]
        repeated.tracks[0].tableEnd =
            BoxBytes.full(
                "stsc", BoxBytes.big(1, 4) + BoxBytes.big(1, 4) + BoxBytes.big(20_000, 4) + BoxBytes.big(1, 4))
            + BoxBytes.full("stco", BoxBytes.big(1, 4) + BoxBytes.big(1024, 4))
        repeated.tracks[0].edits = Array(repeating: (duration: 6000, start: 0), count: 2000)
        // A fragment whose frames are all alike states their number alone.
        var fragmented = MovieFile()
        fragmented.tracks[0].times = []
        fragmented.movieEnd = BoxBytes.box(
            "mvex", BoxBytes.full("trex", BoxBytes.big(1, 4) + BoxBytes.big(1, 4) + BoxBytes.big(0, 12)))
        fragmented.end = BoxBytes.box(
            "moof",
            BoxBytes.full("mfhd", BoxBytes.big(1, 4))
                + BoxBytes.box(
                    "traf",
                    BoxBytes.full("tfhd", flags: 0x18, BoxBytes.big(1, 4) + BoxBytes.big(1, 4) + BoxBytes.big(1, 4))
                        + BoxBytes.full("trun", BoxBytes.big(count, 4))))
        for (name, file) in [("index", file), ("edits", repeated), ("fragment", fragmented)] {
            #expect(throws: RenderError.limitExceeded(limit: .memory), "\(name)") {
                try ClipPicture.render(MemoryByteSource(file.encoded()), options)
            }
        }
    }

    @Test("the memory of an index is part of what a poster is predicted to take")
    func prediction() async {
        await #expect(processExitsWith: .success) { try Self.predictIndex() }
    }

    private static func predictIndex() throws {
        VideoDecoding.install()
        func head(ofSamples count: Int, edits: Int = 0) throws -> ImageHead {
            var file = MovieFile()
            file.tracks[0].edits = Array(repeating: (duration: 1, start: 0), count: edits)
            file.tracks[0].times = [(count, 1)]
            file.tracks[0].tableEnd =
                BoxBytes.full(
                    "stsc", BoxBytes.big(1, 4) + BoxBytes.big(1, 4) + BoxBytes.big(count, 4) + BoxBytes.big(1, 4))
                + BoxBytes.full("stco", BoxBytes.big(1, 4) + BoxBytes.big(1024, 4))
            return try PhotographFacts(readingVideo: MemoryByteSource(file.encoded())).head
        }
        func predicted(_ head: ImageHead) throws -> Int {
            try RenderCost(head: head, options: options, byteCount: 1 << 20).predictedByteCount
        }
        let (small, large) = (try head(ofSamples: 100), try head(ofSamples: 1_000_000))
        #expect(small.indexCount == 104 && large.indexCount == 1 << 20)
        let difference = try predicted(large) - predicted(small)
        #expect(difference >= 40_000_000 && difference < 45_000_000, "\(difference)")
        // Heads of videos of about the same length are alike.
        #expect(try head(ofSamples: 990_000).indexCount == large.indexCount)
        #expect(try head(ofSamples: 1 << 20).indexCount == large.indexCount)
        #expect(try [0, 1, 15, 17].map { try head(ofSamples: $0).indexCount } == [0, 1, 15, 18])
        // Few lists of edits repeat frames, so that they count only where the index is built.
        #expect(try predicted(head(ofSamples: 1_000_000, edits: 3)) == predicted(large))
        // A video that fits is not refused because its number of frames was rounded up.
        let codec = VideoCodec()
        let rounded = try head(ofSamples: 983_041)
        let frames = codec.memory(of: .libavcodec, for: try head(ofSamples: 0), eighths: 8, byteCount: 1 << 20)
        let memory = codec.memory(of: .libavcodec, for: rounded, eighths: 8, byteCount: 1 << 20)
        #expect(rounded.indexCount == 1 << 20 && memory.maximum - frames.maximum <= 983_041 * 40)
        // What cannot fit is known before the file is opened.
        var limits = RenderLimits()
        limits.memoryByteCount = 32 << 20
        #expect(
            limits.areCertainlyExceeded(
                by: large, options: options,
                geometry: try RenditionGeometry(displaySize: large.displaySize, options: options), byteCount: 1 << 20))
    }

    @Test("of a video of hundreds of fragments, few are read for a frame", arguments: ["", "+skip_trailer"])
    func fragments(flags: String) async {
        await #expect(processExitsWith: .success) { [flags] in try Self.readFragments(flags) }
    }

    private static func readFragments(_ flags: String) throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let clip = Clip(
            "fragments.mp4", encoder: "libx264", Clip.Pictures(rate: "10", seconds: 300, hasSound: false),
            [
                "-preset", "ultrafast", "-g", "10", "-bf", "0", "-sc_threshold", "0", "-b:v", "600k", "-movflags",
                "frag_keyframe+empty_moov" + flags,
            ])
        guard let picture = try ClipPicture(clip, in: folder) else { return }
        let bytes = try picture.bytes
        #expect(bytes.count > 12 << 20)
        for seconds in [nil, 0, 250.3] {
            let source = CountingSource(bytes)
            var options = RenderOptions(
                targetSize: PixelSize(width: 160, height: 90), contentMode: .aspectFill, resizeMode: .exact)
            options.frameTime = seconds
            let image = try ClipPicture.render(source, options)
            let shown = try picture.reference(width: 160, height: 90, at: (seconds ?? 0).rounded())
            let difference = ClipPicture.difference(image.bitmap, shown)
            #expect(difference < 4, "\(String(describing: seconds)): \(difference)")
            // Without an index at the end, all fragments are found before one in the middle.
            let limit = seconds == 250.3 && !flags.isEmpty ? 2 << 20 : 512 << 10
            #expect(source.readByteCount < limit, "\(String(describing: seconds)): \(source.readByteCount)")
        }
    }

    @Test("the index of the sound is not read for a frame")
    func sound() async {
        await #expect(processExitsWith: .success) { try Self.readWithSound() }
    }

    private static func readWithSound() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        for (name, order) in [("sound.mp4", []), ("front.mov", ["-map", "-0", "-map", "0:a", "-map", "0:v"])] {
            let clip = Clip(name, of: ["h264.mp4"], repetitions: 300, order)
            guard let picture = try ClipPicture(clip, in: folder) else { return }
            let (bytes, head) = (try picture.bytes, try VideoHead(reading: picture.source))
            let track = try #require(head.soundTracks.first)
            let byteCount = bytes[track..<track + 4].reduce(0) { $0 << 8 | Int($1) }
            #expect(head.soundTracks.count == 1 && bytes[(track + 4)...].starts(with: "trak".utf8))
            let movie = try #require(bytes.firstRange(of: Array("moov".utf8))).lowerBound
            let index = bytes[movie - 4..<movie].reduce(0) { $0 << 8 | Int($1) }
            #expect(byteCount > 200_000 && index > byteCount)
            let source = CountingSource(bytes)
            let options = RenderOptions(
                targetSize: PixelSize(width: 160, height: 90), contentMode: .aspectFill, resizeMode: .exact)
            let facts = try PhotographFacts(readingVideo: picture.source)
            let image = try Renderer().render(source, head: facts.head, options: options)
            let difference = ClipPicture.difference(
                image.bitmap, try picture.reference(width: 160, height: 90))
            #expect(difference < 4, "\(name): \(difference)")
            #expect(source.readByteCount < index - byteCount + (192 << 10), "\(name): \(source.readByteCount)")
        }
    }
}
