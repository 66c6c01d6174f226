import FixtureKit
import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelLocks
import ThumbwheelMedia
import ThumbwheelRendering

/// Exports of clips, beside what ffprobe and ffmpeg say of the new files.
@Suite(
    "Exports", .enabled(if: ClipPicture.maker != nil, "the command ffmpeg is not installed"),
    .takesTurns, .endsHangs)
struct ExportTests {
    private static func session(
        _ path: String, _ preset: ExportPreset = .unchanged
    ) async throws -> (manager: ImageManager, session: ExportSession) {
        let manager = ImageManager.undisturbed {
            $0.workerCount = 1
            $0.memoryBudget = 1 << 28
        }
        let asset = try Asset(
            reading: AssetResource(type: .video, source: .file(path: path)), identifier: .random(),
            originalFilename: "a.mov")
        return (manager, try await manager.exportSession(for: asset, preset: preset))
    }

    /// The sums of the packets of a file's streams, one line for each stream.
    private static func sums(_ path: String, streams: String = "0") throws -> String {
        String(
            decoding: try ClipMaker.output(
                try #require(ClipMaker.path(of: "ffmpeg")),
                ["-loglevel", "error", "-nostdin", "-i", path, "-map", streams, "-c", "copy"]
                    + ["-bsf:v", "null", "-f", "streamhash", "-hash", "md5", "-"]), as: UTF8.self)
    }

    private static func contents(_ path: String) throws -> VideoContents {
        try VideoContents(reading: FileByteSource(path: path))
    }

    private static func names(_ folder: ScratchFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    @Test("copied frames and sound are the same to the last bit, in every container that holds them")
    func copies() async {
        await #expect(processExitsWith: .success) { try await Self.compareCopies() }
    }

    private static func compareCopies() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        for (name, types) in [
            ("h264.mp4", [ContentType.mp4, .quickTime, .matroska]), ("right.mov", [.mp4]),
            ("h264.mkv", [.mp4, .quickTime]), ("vp9.webm", [.webM, .matroska, .mp4]), ("hdr.mov", [.mp4, .matroska]),
            ("fragments.mp4", [.mp4]), ("mpeg4.avi", [.quickTime, .matroska]),
        ] {
            guard let clip = try ClipPicture(named: name, in: folder) else { continue }
            let (manager, session) = try await session(clip.path)
            let old = try contents(clip.path)
            for type in types {
                let path = folder.path + "/new." + (type.filenameExtension ?? "")
                let report = try await session.export(toFile: path, options: ExportOptions { $0.contentType = type })
                let new = try contents(path)
                #expect(new.head.contentType == type && new.isIndexInFront, "\(name) as \(type)")
                #expect(new.tracks.map(\.codec) == old.tracks.map(\.codec), "\(name) as \(type)")
                #expect(new.head.displaySize == old.head.displaySize, "\(name) as \(type): \(new.head)")
                #expect(new.head.orientation == old.head.orientation)
                #expect(abs(new.head.duration - old.head.duration) < 0.1, "\(new.head.duration)")
                #expect(report.byteCount == (try FileByteSource(path: path)).byteCount && report.droppedTracks.isEmpty)
                #expect(report.codedSize == old.head.codedSize)
                // Packets of H.264 and HEVC have the same form in all of these containers.
                if name != "mpeg4.avi" { #expect(try sums(path) == sums(clip.path), "\(name) as \(type)") }
            }
            await manager.shutdown()
        }
    }

    @Test("metadata is kept, or dropped but for what players need")
    func metadata() async {
        await #expect(processExitsWith: .success) { try await Self.compareMetadata() }
    }

    private static func compareMetadata() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        for name in ["h264.mp4", "live.mov", "cover.mp4", "right.mov"] {
            guard let clip = try ClipPicture(named: name, in: folder) else { continue }
            let (manager, session) = try await session(clip.path)
            let old = try contents(clip.path).head
            let type: ContentType = name.hasSuffix("mov") ? .quickTime : .mp4
            for keeps in [true, false] {
                let path = folder.path + "/new.mp4"
                try await session.export(
                    toFile: path,
                    options: ExportOptions {
                        $0.keepsMetadata = keeps
                        $0.contentType = type
                    })
                let new = try contents(path).head
                #expect(
                    new.captureDate == (keeps ? old.captureDate : nil),
                    "\(name): \(String(describing: new.captureDate))")
                #expect((new.location == nil) == (!keeps || old.location == nil), "\(name)")
                #expect(new.contentIdentifier == (keeps ? old.contentIdentifier : nil))
                #expect((new.cover == nil) == (!keeps || old.cover == nil), "\(name)")
                #expect(new.orientation == old.orientation && new.displaySize == old.displaySize)
                if !keeps {
                    let bytes = try FileByteSource(path: path).bytes()
                    for word in ["2023", "Lavf", "CLIP-LIVE", "48.2085"] {
                        #expect(bytes.firstRange(of: Array(word.utf8)) == nil, "\(word) in \(name)")
                    }
                }
            }
            await manager.shutdown()
        }
    }

    @Test("the index is in front only if it is wanted there")
    func index() async {
        await #expect(processExitsWith: .success) { try await Self.moveIndex() }
    }

    private static func moveIndex() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        guard let clip = try ClipPicture(named: "h264.mp4", in: folder) else { return }
        let (manager, session) = try await session(clip.path)
        for startsEarly in [true, false] {
            let path = folder.path + "/new.mp4"
            try await session.export(toFile: path, options: ExportOptions { $0.startsEarly = startsEarly })
            #expect(try contents(path).isIndexInFront == startsEarly)
            #expect(try sums(path) == sums(clip.path))
        }
        await manager.shutdown()
    }

    @Test("a part begins at its key frame and ends at its end; encoded, it begins to the frame")
    func parts() async {
        await #expect(processExitsWith: .success) { try await Self.cutParts() }
    }

    private static func cutParts() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(rate: "25", seconds: 8)
        let long = Clip("long.mp4", encoder: "libx264", pictures, ["-g", "50", "-sc_threshold", "0", "-c:a", "aac"])
        guard let clip = try ClipPicture(long, in: folder) else { return }
        let encoded = ExportPreset.h264(fitting: PixelSize(width: 160, height: 160), quality: 18)
        for preset in [ExportPreset.unchanged, encoded] {
            let (manager, session) = try await session(clip.path, preset)
            for type in [ContentType.mp4, .matroska] {
                let path = folder.path + "/part." + (type.filenameExtension ?? "")
                try await session.export(
                    toFile: path,
                    options: ExportOptions {
                        $0.timeRange = 3..<5
                        $0.contentType = type
                    })
                // Matroska has no edit lists, so frames from the key frame on are shown too.
                let isLonger = preset == .unchanged && type == .matroska
                let seconds = try contents(path).head.duration
                // Frames that are copied from the end on are those from which others are decoded.
                let surplus = seconds - (isLonger ? 3 : 2)
                #expect(-0.15...(preset == .unchanged ? 0.35 : 0.15) ~= surplus, "\(preset) as \(type): \(seconds)")
                #expect(try contents(path).tracks.count == 2)
                let picture = try ClipPicture(path: path)
                let first = try picture.reference(width: 80, height: 45)
                // Of the frames around it, the right one is the most alike; it has been reduced twice if it was encoded.
                let start = isLonger ? 2.0 : 3
                let differences = try [-0.12, -0.04, 0, 0.04, 0.12].map { offset in
                    let shown = try clip.reference(width: 80, height: 45, at: start + offset)
                    return (offset, difference(first, shown))
                }
                let best = differences.min { $0.1 < $1.1 }
                #expect(best?.0 == 0 && best?.1 ?? 9 < 6, "\(preset) as \(type): \(differences)")
                // The last frames of the part may be decoded from one behind it.
                for time in [4.88, 4.92, 4.96] {
                    let made = try picture.reference(width: 80, height: 45, at: time - start)
                    let shown = try clip.reference(width: 80, height: 45, at: time)
                    #expect(difference(made, shown) < 6, "\(preset) as \(type) at \(time)")
                }
            }
            await manager.shutdown()
        }
    }

    @Test("a part of an AVI file with H.264, whose last frames come without times, is encoded")
    func timeless() async {
        await #expect(processExitsWith: .success) { try await Self.cutTimeless() }
    }

    private static func cutTimeless() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(rate: "25", seconds: 4, hasSound: false)
        let made = Clip("timeless.avi", encoder: "libx264", pictures, ["-g", "25", "-bf", "2"])
        guard let clip = try ClipPicture(made, in: folder) else { return }
        let (manager, session) = try await session(
            clip.path, .h264(fitting: PixelSize(width: 160, height: 160), quality: 18))
        let path = folder.path + "/part.mp4"
        // The part reaches over the end, where the decoder gives up the frames that it holds.
        for range in [0.0..<9.0, 2.0..<9.0] {
            try await session.export(toFile: path, options: ExportOptions { $0.timeRange = range })
            let seconds = try contents(path).head.duration
            #expect(abs(seconds - (4 - range.lowerBound)) < 0.2, "\(range): \(seconds)")
        }
        await manager.shutdown()
    }

    private static func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        guard one.count == other.count, !one.isEmpty else { return .infinity }
        return zip(one, other).reduce(0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(one.count)
    }

    @Test("encoded frames are upright, of the wanted size, and look like those of the video")
    func encoding() async {
        await #expect(processExitsWith: .success) { try await Self.compareEncoded() }
    }

    private static func compareEncoded() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        for (name, width, height) in [
            ("h264.mp4", 160, 90), ("right.mov", 90, 160), ("down.mov", 160, 90), ("wide.mp4", 160, 90),
            ("vp8.webm", 160, 90), ("mjpeg.avi", 160, 90), ("hdr.mov", 160, 90), ("delayed.mp4", 160, 90),
        ] {
            guard let clip = try ClipPicture(named: name, in: folder) else { continue }
            // The sound of the AVI does not fit into MP4.
            let type = name.hasSuffix("avi") ? ContentType.quickTime : .mp4
            let (manager, session) = try await session(
                clip.path, .h264(fitting: PixelSize(width: 161, height: 161), quality: 12))
            let path = folder.path + "/small.mp4"
            let report = try await session.export(toFile: path, options: ExportOptions { $0.contentType = type })
            let (old, new) = (try contents(clip.path), try contents(path))
            #expect(new.head.codec == "h264" && new.head.orientation == .up && new.head.pixelAspect == .square)
            #expect(new.head.codedSize == PixelSize(width: width, height: height), "\(name): \(new.head.codedSize)")
            #expect(report.codedSize == new.head.codedSize && new.tracks.count == old.tracks.count)
            #expect(new.tracks.first?.codecParameter?.hasPrefix("avc1.") == true)
            #expect(abs(new.head.duration - old.head.duration) < 0.15, "\(name): \(new.head.duration)")
            let picture = try ClipPicture(path: path)
            let made = try picture.image(width: width, height: height, at: 0)
            #expect(ClipPicture.difference(made.bitmap, try picture.reference(width: width, height: height)) < 4)
            // Chroma of every other pixel changes the small coloured figures of these clips by several levels, so the
            // frames that are expected go through it too.
            let halved =
                "scale=\(width):\(height):flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp,"
                + "format=rgb24,scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp,format=yuv420p,"
            for seconds in [0, 0.5] {
                let shown = try picture.reference(width: width, height: height, at: seconds)
                // High dynamic range is mapped as in frames, which ffmpeg does not do by itself.
                if name == "hdr.mov" {
                    let frame = try clip.image(width: width, height: height, at: 0).bitmap
                    if seconds == 0 { #expect(ClipPicture.difference(frame, shown) < 9, "\(name)") }
                } else {
                    let expected = try clip.reference(width: width, height: height, at: seconds, filters: halved)
                    #expect(difference(shown, expected) < 6, "\(name) at \(seconds): \(difference(shown, expected))")
                }
            }
            await manager.shutdown()
        }
    }

    @Test("nothing is enlarged, and sides are even")
    func sizes() async {
        await #expect(processExitsWith: .success) { try await Self.compareSizes() }
    }

    private static func compareSizes() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        guard let clip = try ClipPicture(named: "h264.mp4", in: folder) else { return }
        for (target, width, height) in [
            (PixelSize(width: 1920, height: 1080), 320, 180), (PixelSize(width: 101, height: 1000), 100, 56),
            (PixelSize(width: 1000, height: 33), 58, 32), (PixelSize(width: 1, height: 1), 2, 2), (.maximum, 320, 180),
        ] {
            let (manager, session) = try await session(clip.path, .h264(fitting: target))
            let report = try await session.export(toFile: folder.path + "/a.mp4")
            #expect(report.codedSize == PixelSize(width: width, height: height), "\(target): \(report.codedSize)")
            await manager.shutdown()
        }
    }

    @Test("what a file cannot hold, wrong options and places that cannot be written are typed errors")
    func failures() async {
        await #expect(processExitsWith: .success) { try await Self.provokeFailures() }
    }

    private static func provokeFailures() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        guard let clip = try ClipPicture(named: "mjpeg.avi", in: folder),
            let h264 = try ClipPicture(named: "h264.mp4", in: folder),
            let turned = try ClipPicture(named: "right.mov", in: folder)
        else { return }
        func error(_ path: String, _ options: ExportOptions, to target: String) async throws -> ExportError? {
            let (manager, session) = try await session(path)
            do throws(ExportError) {
                _ = try await session.export(toFile: target, options: options)
                await manager.shutdown()
                return nil
            } catch {
                await manager.shutdown()
                return error
            }
        }
        let target = folder.path + "/new.mp4"
        try folder.write("new.mp4", [1, 2, 3])
        let before = try names(folder).sorted()
        let reasons = [
            (
                clip.path, ExportOptions(),
                "a file of the type video/mp4 cannot hold pcm_s16le; video/quicktime, video/x-matroska can"
            ),
            (
                h264.path, ExportOptions { $0.contentType = .webM },
                "a file of the type video/webm cannot hold h264; video/mp4, video/quicktime, video/x-matroska can"
            ),
            (
                h264.path, ExportOptions { $0.contentType = .avi },
                "no file of the type \(ContentType.avi.rawValue) is written"
            ),
            (
                turned.path, ExportOptions { $0.contentType = .matroska },
                "a file of the type video/x-matroska is not written with turned frames"
            ),
        ]
        for (path, options, reason) in reasons {
            #expect(try await error(path, options, to: target) == .unsupported(reason: reason))
        }
        for range in [-1.0..<2.0, 100.0..<101.0, 0.0..<0.0, 1.0..<Double.infinity] {
            let wrong = try await error(h264.path, ExportOptions { $0.timeRange = range }, to: target)
            guard case .invalidOptions? = wrong else {
                throw FixtureError.file("\(range)", "\(String(describing: wrong))")
            }
        }
        let missing = folder.path + "/missing/new.mp4"
        #expect(try await error(h264.path, ExportOptions(), to: missing) == .unwritable(path: missing, code: ENOENT))
        // What was there stays, and nothing is left beside it.
        #expect(try FileByteSource(path: target).bytes() == [1, 2, 3] && names(folder).sorted() == before)
        #expect(try await error(h264.path, ExportOptions(), to: target) == nil)
        #expect(try contents(target).head.codec == "h264" && names(folder).sorted() == before)
    }

    @Test("progress rises to the whole, and its stop, the token and the task cancel", arguments: [0, 1, 2])
    func cancellation(way: Int) async {
        await #expect(processExitsWith: .success) { [way] in try await Self.cancel(way) }
    }

    private static func cancel(_ way: Int) async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        guard let clip = try ClipPicture(named: "h264.mp4", in: folder) else { return }
        let target = folder.path + "/new.mp4"
        let before = try names(folder).sorted()
        for preset in [ExportPreset.unchanged, .h264In480] {
            let (manager, session) = try await session(clip.path, preset)
            let token = CancellationToken()
            let task = Mutex<Task<Void, any Error>?>(nil)
            let fractions = Mutex<[Double]>([])
            var options = ExportOptions { options in
                options.cancellationToken = token
                options.progressHandler = { fraction, stop in
                    fractions.withLock { $0.append(fraction) }
                    guard fraction > 0.2 else { return }
                    switch way {
                    case 0: stop = true
                    case 1: token.cancel()
                    default: task.withLock { $0?.cancel() }
                    }
                }
            }
            let gate = AsyncStream.makeStream(of: Void.self)
            let made = Task { [options] in
                for await _ in gate.stream { break }
                try await session.export(toFile: target, options: options)
            }
            task.withLock { $0 = made }
            gate.continuation.yield()
            await #expect(throws: ExportError.cancelled) { try await made.value }
            #expect(fractions.withLock { $0 == $0.sorted() && ($0.last ?? 1) < 0.9 })
            #expect(try names(folder).sorted() == before && token.handlerCount == 0)

            options.cancellationToken = nil
            options.progressHandler = { fraction, _ in fractions.withLock { $0.append(fraction) } }
            fractions.withLock { $0 = [] }
            try await session.export(toFile: target, options: options)
            #expect(fractions.withLock { $0 == $0.sorted() && $0.first == 0 && $0.last == 1 && $0.count > 5 })
            try FileManager.default.removeItem(atPath: target)
            let cancelled = CancellationToken()
            cancelled.cancel()
            options.cancellationToken = cancelled
            await #expect(throws: ExportError.cancelled) { try await session.export(toFile: target, options: options) }
            await manager.shutdown()
        }
    }

    @Test("an export that waits for a thread is cancelled at once")
    func waiting() async {
        await #expect(processExitsWith: .success) { try await Self.cancelWaiting() }
    }

    private static func cancelWaiting() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        guard let clip = try ClipPicture(named: "h264.mp4", in: folder) else { return }
        let (manager, session) = try await session(clip.path)
        let (target, before) = (folder.path + "/new.mp4", try names(folder))
        let gates = (0..<HostResources.current.processorCount).map { _ in TimedSignal() }
        for gate in gates { BlockingThreads.exports.run { gate.wait() } }

        let (token, log) = (CancellationToken(), AnswerLog<ExportError?>())
        session.export(toFile: target, options: ExportOptions { $0.cancellationToken = token }) { result in
            if case .failure(let error) = result { log.receive(error) } else { log.receive(nil) }
        }
        token.cancel()
        #expect(await log.wait() == [ExportError.cancelled])
        #expect(token.handlerCount == 0)
        let task = Task { try await session.export(toFile: target) }
        task.cancel()
        await #expect(throws: ExportError.cancelled) { try await task.value }

        // The closures that have waited for the threads do nothing, and the threads serve others.
        for gate in gates { gate.raise() }
        #expect(try names(folder).sorted() == before.sorted())
        try await session.export(toFile: target)
        #expect(try contents(target).head.codec == "h264" && log.answers.count == 1)
        await manager.shutdown()
    }

    @Test("damaged videos end as files or as typed errors, and leave nothing behind")
    func damage() async {
        await #expect(processExitsWith: .success) { try await Self.exportDamaged() }
    }

    private static func exportDamaged() async throws {
        VideoExporting.install()
        let (folder, target) = (try ScratchFolder(), try ScratchFolder())
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of damaged exports: \(seed)")
        var generator = SeededGenerator(seed: seed)
        var (wholeCount, failedCount) = (0, 0)
        for name in ["h264.mp4", "h264.mkv", "mpeg4.avi"] {
            guard let clip = try ClipPicture(named: name, in: folder) else { continue }
            let bytes = try clip.bytes
            for number in 0..<9 {
                var damaged = bytes
                if number % 3 == 0 { damaged.removeLast(Int.random(in: 1..<bytes.count, using: &generator)) }
                for _ in 0..<8 where number % 3 != 0 {
                    damaged[Int.random(in: damaged.indices, using: &generator)] = UInt8.random(
                        in: 0...255, using: &generator)
                }
                let path = try target.write("damaged", damaged)
                guard
                    let (manager, session) = try? await session(
                        path, number % 2 == 0 ? .unchanged : .h264(fitting: PixelSize(width: 64, height: 64)))
                else { continue }
                do throws(ExportError) {
                    try await session.export(
                        toFile: target.path + "/new", options: ExportOptions { $0.contentType = .matroska })
                    wholeCount += 1
                    try? FileManager.default.removeItem(atPath: target.path + "/new")
                } catch {
                    failedCount += 1
                    #expect(error != .cancelled)
                }
                await manager.shutdown()
                #expect(try names(target) == ["damaged"])
            }
        }
        #expect(wholeCount + failedCount > 0)
    }

    @Test("without an exporter, and with decoders outside the process, there are no sessions")
    func unavailable() async {
        await #expect(processExitsWith: .success) { try await Self.requestUnavailable() }
    }

    private static func requestUnavailable() async throws {
        let video = try Asset(
            reading: AssetResource(type: .video, source: .bytes(MovieFile().encoded())), identifier: .random(),
            originalFilename: "a.mov")
        func request(_ isolation: Isolation) async throws -> ExportSession {
            let manager = ImageManager.undisturbed {
                $0.workerCount = 1
                $0.memoryBudget = 1 << 26
                $0.isolation = isolation
            }
            return try await manager.exportSession(for: video, preset: .unchanged)
        }
        await #expect(throws: ImageRequestError.unsupportedMedia) { try await request(.none) }
        VideoExporting.install()
        #expect(try await request(.none).movie.duration == 10)
        await #expect(throws: ImageRequestError.unsupportedMedia) { try await request(.untrusted) }
    }
}

extension ClipPicture {
    /// A file that an export has written.
    init(path: String) throws {
        self.path = path
        source = try FileByteSource(path: path)
    }
}
