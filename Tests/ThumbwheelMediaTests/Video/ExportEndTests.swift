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

/// Exports that end early: by errors, by being cancelled, because of damage, or before they begin.
@Suite(
    "Ends of exports", .enabled(if: ClipPicture.maker != nil, "the command ffmpeg is not installed"),
    .takesTurns, .endsHangs)
struct ExportEndTests {
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
            let (manager, session) = try await ExportFixture.session(path)
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
        let before = try ExportFixture.names(folder).sorted()
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
        #expect(
            try FileByteSource(path: target).bytes() == [1, 2, 3] && ExportFixture.names(folder).sorted() == before)
        #expect(try await error(h264.path, ExportOptions(), to: target) == nil)
        #expect(
            try ExportFixture.contents(target).head.codec == "h264" && ExportFixture.names(folder).sorted() == before)
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
        let before = try ExportFixture.names(folder).sorted()
        for preset in [ExportPreset.unchanged, .h264In480] {
            let (manager, session) = try await ExportFixture.session(clip.path, preset)
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
            #expect(try ExportFixture.names(folder).sorted() == before && token.handlerCount == 0)

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
        let (manager, session) = try await ExportFixture.session(clip.path)
        let (target, before) = (folder.path + "/new.mp4", try ExportFixture.names(folder))
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
        #expect(try ExportFixture.names(folder).sorted() == before.sorted())
        try await session.export(toFile: target)
        #expect(try ExportFixture.contents(target).head.codec == "h264" && log.answers.count == 1)
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
                    let (manager, session) = try? await ExportFixture.session(
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
                #expect(try ExportFixture.names(target) == ["damaged"])
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
