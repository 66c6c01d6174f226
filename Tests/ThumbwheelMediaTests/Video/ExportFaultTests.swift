import FixtureKit
import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelMedia
import ThumbwheelRendering

/// Exports of videos that are not whole, that are far away, or that tell more than they should.
@Suite(
    "Exports of odd videos", .enabled(if: ClipPicture.maker != nil, "the command ffmpeg is not installed"),
    .takesTurns, .endsHangs)
struct ExportFaultTests {
    private static let small = ExportPreset.h264(fitting: PixelSize(width: 64, height: 64))

    @Test("a video whose rest is missing is not exported")
    func cutShort() async {
        await #expect(processExitsWith: .success) { try await Self.exportCut() }
    }

    private static func exportCut() async throws {
        VideoExporting.install()
        let (folder, target) = (try ScratchFolder(), try ScratchFolder())
        try target.write("new.mkv", [1, 2, 3])
        let truncated = ExportError.reading(.rendering(.truncated(decodedFraction: 0)))
        for name in ["front.mp4", "h264.mkv", "mpeg4.avi", "fragments.mp4"] {
            guard let clip = try ClipPicture(named: name, in: folder) else { continue }
            let bytes = try clip.bytes
            for preset in [ExportPreset.unchanged, small] {
                let (manager, session) = try await ExportFixture.session(
                    .bytes(Array(bytes.prefix(bytes.count / 2))), preset)
                await #expect(throws: truncated, "\(name) \(preset)") {
                    try await session.export(
                        toFile: target.path + "/new.mkv", options: ExportOptions { $0.contentType = .matroska })
                }
                await manager.shutdown()
            }
            // A file that loses its end while it is read.
            let shrinking = StepwiseProvider(Array(bytes.prefix(bytes.count / 2)), claiming: bytes.count)
            if name == "front.mp4" {
                let (manager, session) = try await ExportFixture.session(.provider(shrinking))
                await #expect(throws: truncated, "\(name) that shrinks") {
                    try await session.export(
                        toFile: target.path + "/new.mkv", options: ExportOptions { $0.contentType = .matroska })
                }
                await manager.shutdown()
            }
        }
        #expect(try FileByteSource(path: target.path + "/new.mkv").bytes() == [1, 2, 3])
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == ["new.mkv"])
    }

    @Test("subtitles, which may hold places, go with the metadata")
    func subtitles() async {
        await #expect(processExitsWith: .success) { try await Self.dropSubtitles() }
    }

    private static func dropSubtitles() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        guard let clip = try ClipPicture(named: "h264.mp4", in: folder) else { return }
        let telemetry = "1\n00:00:00,000 --> 00:00:01,000\nGPS(8.5,47.3,400)\n\n"
        let text = try folder.write("telemetry.srt", Array(telemetry.utf8))
        let path = folder.path + "/drone.mp4"
        _ = try ClipMaker.output(
            try #require(ClipMaker.path(of: "ffmpeg")),
            ["-loglevel", "error", "-nostdin", "-i", clip.path, "-i", text, "-map", "0", "-map", "1", "-c", "copy"]
                + ["-c:s", "mov_text", path])
        for preset in [ExportPreset.unchanged, small] {
            let (manager, session) = try await ExportFixture.session(.file(path: path), preset)
            for keeps in [true, false] {
                let target = folder.path + "/new.mp4"
                let report = try await session.export(
                    toFile: target, options: ExportOptions { $0.keepsMetadata = keeps })
                let bytes = try FileByteSource(path: target).bytes()
                #expect((bytes.firstRange(of: Array("GPS(8.5".utf8)) != nil) == keeps)
                #expect(report.droppedTracks == (keeps ? [] : ["mov_text"]))
            }
            await manager.shutdown()
        }
    }

    @Test("a part whose sound has ended is read no further than its end")
    func soundThatEnds() async {
        await #expect(processExitsWith: .success) { try await Self.exportShortSound() }
    }

    private static func exportShortSound() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        let clip = Clip(
            "sound.mp4", encoder: "libx264", Clip.Pictures(rate: "30", seconds: 40),
            [
                "-preset", "ultrafast", "-g", "30", "-b:v", "800k", "-af", "atrim=0:0.5", "-c:a", "aac", "-movflags",
                "+faststart",
            ])
        guard let picture = try ClipPicture(clip, in: folder) else { return }
        let bytes = try picture.bytes
        for preset in [ExportPreset.unchanged, small] {
            let provider = StepwiseProvider(bytes)
            let (manager, session) = try await ExportFixture.session(.provider(provider), preset)
            let before = provider.readByteCount
            try await session.export(
                toFile: folder.path + "/part.mp4", options: ExportOptions { $0.timeRange = 0..<1 })
            let new = try VideoContents(reading: FileByteSource(path: folder.path + "/part.mp4"))
            #expect(new.tracks.count == 2 && abs(new.head.duration - 1) < 0.2, "\(new.head.duration)")
            #expect(provider.readByteCount - before < bytes.count / 2, "\(provider.readByteCount) of \(bytes.count)")
            await manager.shutdown()
        }
    }

    @Test("sound that the file cannot hold is encoded together with the frames")
    func oldSound() async {
        await #expect(processExitsWith: .success) { try await Self.convertSound() }
    }

    private static func convertSound() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(rate: "25", seconds: 2)
        let clips = ["pcm_s16le", "pcm_u8", "pcm_alaw", "adpcm_ima_wav", "pcm_s24le"].map { codec in
            Clip("\(codec).avi", encoder: "mjpeg", pictures, ["-c:a", codec, "-ac", codec == "pcm_u8" ? "2" : "1"])
        }
        for clip in clips {
            guard let picture = try ClipPicture(clip, in: folder) else { continue }
            let (manager, session) = try await ExportFixture.session(.file(path: picture.path), small)
            for range in [nil, 0.5..<1.5] {
                let path = folder.path + "/new.mp4"
                let report = try await session.export(toFile: path, options: ExportOptions { $0.timeRange = range })
                #expect(report.convertedTracks.map { $0 + ".avi" } == [clip.name] && report.droppedTracks.isEmpty)
                let tracks = try VideoContents(reading: FileByteSource(path: path)).tracks
                #expect(tracks.map(\.codec) == ["h264", "aac"])
                // A tone of 440 Hz changes its sign 880 times in a second.
                let bytes = try [UInt8](
                    ClipMaker.output(
                        try #require(ClipMaker.path(of: "ffmpeg")),
                        [
                            "-loglevel", "error", "-nostdin", "-i", path, "-vn", "-ac", "1", "-ar", "44100", "-f",
                            "s16le", "-",
                        ]))
                let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
                    Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
                }
                let seconds = range == nil ? 2.0 : 1
                #expect(abs(Double(samples.count) / 44100 - seconds) < 0.06, "\(clip.name): \(samples.count)")
                // The last packet of AAC is longer than the sound in it.
                let tone = samples.prefix(Int(seconds * 44100))
                let changes = zip(tone, tone.dropFirst()).count { ($0 < 0) != ($1 < 0) }
                #expect(abs(Double(changes) / seconds - 880) < 60, "\(clip.name): \(changes)")
                #expect((samples.max() ?? 0) > 1000)
            }
            await manager.shutdown()
        }
    }

    @Test("the memory of an export counts against the budget while it runs")
    func budget() async {
        await #expect(processExitsWith: .success) { try await Self.exportWithinBudget() }
    }

    private static func exportWithinBudget() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        guard let clip = try ClipPicture(named: "h264.mp4", in: folder) else { return }
        let (manager, session) = try await ExportFixture.session(.file(path: clip.path), small)
        let used = AnswerLog<Int>()
        try await session.export(
            toFile: folder.path + "/new.mp4",
            options: ExportOptions {
                $0.progressHandler = { _, _ in used.receive(manager.statistics.budgetUsedByteCount) }
            })
        #expect(!used.answers.isEmpty && used.answers.allSatisfy { $0 >= 17 * 320 * 180 * 3 / 2 }, "\(used.answers)")
        #expect(manager.statistics.budgetUsedByteCount == 0)
        await manager.shutdown()
    }

    @Test("an export that waits for the network is cancelled at once")
    func slowNetwork() async {
        await #expect(processExitsWith: .success) { try await Self.cancelSlow() }
    }

    private static func cancelSlow() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        guard let clip = try ClipPicture(named: "front.mp4", in: folder) else { return }
        let provider = StepwiseProvider(try clip.bytes, requiresNetwork: true, offersRanges: true)
        let (manager, session) = try await ExportFixture.session(.provider(provider))
        provider.suspend()
        let (token, log) = (CancellationToken(), AnswerLog<ExportError?>())
        session.export(
            toFile: folder.path + "/new.mp4", options: ExportOptions { $0.cancellationToken = token }
        ) { result in
            if case .failure(let error) = result { log.receive(error) } else { log.receive(nil) }
        }
        await provider.waitForHeldReads()
        token.cancel()
        // The read is still held.
        #expect(await log.wait() == [ExportError.cancelled])
        provider.resume()
        // The session is as good as before.
        try await session.export(toFile: folder.path + "/new.mp4")
        #expect(try VideoContents(reading: FileByteSource(path: folder.path + "/new.mp4")).tracks.count == 2)
        await manager.shutdown()
    }

    @Test("bytes elsewhere are read in few long reads")
    func readAhead() async {
        await #expect(processExitsWith: .success) { try await Self.countReads() }
    }

    private static func countReads() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(width: 640, height: 360, seconds: 8)
        let clip = Clip(
            "far.mp4", encoder: "libx264", pictures,
            ["-b:v", "4M", "-maxrate", "4M", "-bufsize", "1M", "-movflags", "+faststart"])
        guard let picture = try ClipPicture(clip, in: folder) else { return }
        let bytes = try picture.bytes
        let provider = StepwiseProvider(bytes, requiresNetwork: true, offersRanges: true)
        let (manager, session) = try await ExportFixture.session(.provider(provider))
        let before = provider.readCount
        try await session.export(toFile: folder.path + "/new.mp4")
        #expect(bytes.count > 3 << 20 && provider.readCount - before < 20, "\(provider.readCount - before)")
        #expect(try ClipPicture(path: folder.path + "/new.mp4").source.byteCount > bytes.count / 2)
        await manager.shutdown()
    }
}
