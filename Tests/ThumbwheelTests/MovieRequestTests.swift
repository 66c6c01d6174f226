import Foundation
import TestSupport
import Testing
import Thumbwheel

@Suite("Requests for movies", .endsHangs) struct MovieRequestTests {
    /// A movie of ten seconds with frames and sound, whose header lies behind a megabyte of frames.
    private static let bytes: [UInt8] = {
        var file = MovieFile()
        (file.brand, file.isMovieLast, file.pixelCount) = ("isom", true, 1 << 20)
        file.tracks[0].descriptionBoxes = BoxBytes.box("avcC", [1, 0x64, 0, 0x1F, 0xFF])
        file.tracks.append(.sound())
        return file.encoded()
    }()

    private func manager() -> ImageManager {
        ImageManager.undisturbed(renderer: SuspendableRenderer()) {
            $0.workerCount = 1
            $0.memoryBudget = 1 << 24
        }
    }

    private func asset(_ source: AssetResource.Source = .bytes(bytes), contentVersion: UInt32 = 1) -> Asset {
        Asset(
            identifier: AssetIdentifier(high: 1, low: 2), contentVersion: contentVersion, mediaType: .video,
            head: ImageHead(contentType: .mp4, storedSize: PixelSize(width: 1920, height: 1080)),
            resource: AssetResource(type: .video, source: source), fileSize: Self.bytes.count,
            originalFilename: "a.mp4")
    }

    private func request(
        _ asset: Asset, of manager: ImageManager, _ options: VideoRequestOptions = VideoRequestOptions()
    ) -> (log: AnswerLog<MediaResult<Movie>>, id: ImageRequestID) {
        let log = AnswerLog<MediaResult<Movie>>()
        return (log, manager.requestAVAsset(for: asset, options: options, resultHandler: log.receive))
    }

    private func error<Value>(_ result: MediaResult<Value>?) -> ImageRequestError? {
        switch result {
        case .failed(let error, _): error
        case .cancelled: .cancelled
        case .final, nil: nil
        }
    }

    @Test("a video's tracks, duration and bytes are delivered once")
    func tracks() async throws {
        let manager = manager()
        let (log, id) = request(asset(), of: manager)
        let result = try #require(await log.wait().first)
        let movie = try #require(result.value)
        #expect(result.info.requestID == id && result.info.asset == asset().identifier && !result.info.isFromNetwork)
        #expect(movie.duration == 10 && movie.tracks.map(\.kind) == [.video, .sound] && movie.contentType == .mp4)
        #expect(movie.mediaType == "video/mp4; codecs=\"avc1.64001F, mp4a.40.2\"")
        #expect(movie.pixelSize == PixelSize(width: 1920, height: 1080) && movie.stillTime == nil)
        #expect(movie.byteCount == Self.bytes.count)
        #expect(try movie.bytes.bytes(in: 5000..<9000) == Array(Self.bytes[5000..<9000]))
        await manager.shutdown()
        #expect(log.answers.count == 1)
    }

    @Test("an item to play has a tag that follows the bytes, and tells whether it starts early")
    func playerItem() async throws {
        let manager = manager()
        let item = try await manager.playerItem(for: asset())
        #expect(!item.startsEarly && item.movie.tracks.count == 2)
        #expect(try await manager.playerItem(for: asset()).entityTag == item.entityTag)
        #expect(try await manager.playerItem(for: asset(contentVersion: 2)).entityTag != item.entityTag)
        var front = MovieFile()
        front.pixelCount = 10
        #expect(try await manager.playerItem(for: asset(.bytes(front.encoded()))).startsEarly)
        await manager.shutdown()
    }

    @Test("a file that has been replaced since its import has another tag")
    func replacedFile() async throws {
        let (manager, library, folder) = (manager(), PhotoLibrary(), try ScratchFolder())
        let path = try folder.write("a.mp4", Self.bytes)
        _ = try await library.importFolder(at: folder.path)
        let asset = try #require(Array(library.fetchAssets()).first)
        let item = try await manager.playerItem(for: asset)
        #expect(try await manager.playerItem(for: asset).entityTag == item.entityTag)
        // Of the same length, but other frames.
        var other = Self.bytes
        other[1000] = 7
        try folder.write("a.mp4", other)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
        let replaced = try await manager.playerItem(for: asset)
        #expect(replaced.entityTag != item.entityTag)
        #expect(try replaced.movie.bytes.bytes(in: 1000..<1001) == [7])
        try folder.write("a.mp4", other + [0, 0, 0, 8] + Array("free".utf8))
        #expect(try await manager.playerItem(for: asset).entityTag != replaced.entityTag)
        await manager.shutdown()
    }

    @Test("what is no video, cannot be read or is damaged ends with its typed error")
    func failures() async throws {
        let manager = manager()
        let photograph = Pictures.asset(1)
        for (asset, expected) in [
            (photograph, ImageRequestError.unsupportedMedia),
            (asset(.file(path: "/missing.mp4")), .rendering(.source(.notFound(path: "/missing.mp4")))),
            (asset(.bytes([1, 2, 3])), .rendering(.unsupportedFormat)),
            (asset(.bytes(Array(Self.bytes.prefix(1000)))), .rendering(.truncated(decodedFraction: 0))),
        ] {
            let (log, _) = request(asset, of: manager)
            #expect(error(await log.wait().first) == expected)
            await #expect(throws: expected) { try await manager.movie(for: asset) }
            await #expect(throws: expected) { try await manager.playerItem(for: asset) }
        }
        await manager.shutdown()
    }

    @Test("each version is its own video")
    func versions() async throws {
        let (manager, library, folder) = (manager(), PhotoLibrary(), try ScratchFolder())
        var edited = MovieFile()
        edited.tracks[0].id = 77
        try folder.write("IMG_0001.MOV", Self.bytes)
        try folder.write("IMG_E0001.MOV", edited.encoded())
        _ = try await library.importFolder(at: folder.path)
        let asset = try #require(Array(library.fetchAssets()).first)
        #expect(asset.hasAdjustments && library.fetchAssets().count == 1)
        for (version, number) in [(ImageVersion.current, 77), (.unadjusted, 1), (.original, 1)] {
            let options = VideoRequestOptions { $0.version = version }
            #expect(try await manager.movie(for: asset, options: options).tracks[0].number == number)
        }
        await manager.shutdown()
    }

    @Test("bytes elsewhere need leave, and then only the header is read")
    func network() async throws {
        let manager = manager()
        let provider = StepwiseProvider(Self.bytes, requiresNetwork: true, offersRanges: true)
        let asset = asset(.provider(provider))
        let refused = try #require(await request(asset, of: manager).log.wait().first)
        #expect(error(refused) == .networkAccessRequired && refused.info.isInCloud && provider.readCount == 0)

        let progress = AnswerLog<ImageProgress>()
        let options = VideoRequestOptions {
            $0.isNetworkAccessAllowed = true
            $0.progressHandler = { told, _ in progress.receive(told) }
        }
        let (log, id) = request(asset, of: manager, options)
        let result = try #require(await log.wait().first)
        #expect(result.value?.duration == 10 && result.info.isFromNetwork && !result.info.isInCloud)
        #expect(provider.readByteCount < 64 << 10, "\(provider.readByteCount)")
        #expect(progress.answers.map(\.fraction) == [0, 1] && progress.answers.allSatisfy { $0.requestID == id })
        // The bytes of the movie come when they are read.
        let before = provider.readCount
        #expect(try result.value?.bytes.bytes(in: 0..<4) == Array(Self.bytes[0..<4]) && provider.readCount > before)
        await manager.shutdown()
    }

    @Test("a network that fails is told to the progress handler before the result")
    func networkFailure() async throws {
        let manager = manager()
        let provider = StepwiseProvider(Self.bytes, failingAt: 0, requiresNetwork: true)
        let told = AnswerLog<String>()
        let options = VideoRequestOptions {
            $0.isNetworkAccessAllowed = true
            $0.progressHandler = { progress, _ in told.receive(progress.error.map(\.name) ?? "\(progress.fraction)") }
        }
        manager.requestAVAsset(for: asset(.provider(provider)), options: options) { result in
            if case .failed(let error, _) = result { told.receive("failed: " + error.name) }
        }
        #expect(await told.wait(for: 3) == ["0.0", "network", "failed: network"])
        await manager.shutdown()
    }

    @Test("a progress handler can stop the request")
    func stop() async throws {
        let manager = manager()
        let provider = StepwiseProvider(Self.bytes, requiresNetwork: true, isSuspended: true)
        let options = VideoRequestOptions {
            $0.isNetworkAccessAllowed = true
            $0.progressHandler = { _, stop in stop = true }
        }
        let (log, _) = request(asset(.provider(provider)), of: manager, options)
        #expect(error(await log.wait().first) == .cancelled)
        provider.resume()
        await manager.shutdown()
        #expect(log.answers.count == 1)
    }

    @Test("a cancelled request ends once, at once, and reads no further", arguments: [false, true])
    func cancellation(byToken: Bool) async throws {
        let manager = manager()
        let provider = StepwiseProvider(Self.bytes, isSuspended: true)
        let token = CancellationToken()
        let (log, id) = request(
            asset(.provider(provider)), of: manager, VideoRequestOptions { $0.cancellationToken = token })
        await provider.waitForHeldReads()
        if byToken { token.cancel() } else { manager.cancelImageRequest(id) }
        #expect(error(await log.wait().first) == .cancelled)
        #expect(log.answers.first?.info.requestID == id && token.handlerCount == 0)
        // The read that was held up ends, and no other follows.
        manager.cancelImageRequest(id)
        provider.resume()
        await manager.shutdown()
        #expect(log.answers.count == 1 && provider.readCount == 1)
    }

    @Test("a request with a cancelled token starts no work")
    func cancelledToken() async throws {
        let manager = manager()
        let provider = StepwiseProvider(Self.bytes)
        let token = CancellationToken()
        token.cancel()
        let (log, _) = request(
            asset(.provider(provider)), of: manager, VideoRequestOptions { $0.cancellationToken = token })
        #expect(error(await log.wait().first) == .cancelled)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await manager.movie(for: asset(.provider(provider)))
        }
        await #expect(throws: ImageRequestError.cancelled) { try await task.value }
        await manager.shutdown()
        #expect(provider.readCount == 0)
    }

    @Test("handlers run on the executor of the request, and progress before the result")
    func executor() async throws {
        let manager = manager()
        let executor = ManualExecutor()
        let options = VideoRequestOptions { $0.executor = executor.executor }
        let (log, _) = request(asset(), of: manager, options)
        await executor.waitForWork()
        #expect(log.answers.isEmpty)
        executor.runAll()
        #expect(log.answers.count == 1)
        await manager.shutdown()
    }

    @Test("a manager that closes or goes away ends what lives, and refuses what is new")
    func end() async throws {
        for isGraceful in [false, true] {
            let provider = StepwiseProvider(Self.bytes, isSuspended: true)
            let manager = manager()
            let (log, _) = request(asset(.provider(provider)), of: manager)
            await provider.waitForHeldReads()
            if isGraceful { provider.resume() }
            await manager.shutdown(graceful: isGraceful)
            #expect(error(await log.wait().first) == (isGraceful ? nil : .cancelled))
            let late = request(asset(), of: manager).log
            #expect(error(await late.wait().first) == .cancelled)
            provider.resume()
        }
        let provider = StepwiseProvider(Self.bytes, isSuspended: true)
        var manager: ImageManager? = manager()
        let (log, _) = request(asset(.provider(provider)), of: try #require(manager))
        await provider.waitForHeldReads()
        manager = nil
        #expect(error(await log.wait().first) == .cancelled)
        provider.resume()
    }

    @Test("a cancelled queue of requests leaves none behind")
    func all() async throws {
        let manager = manager()
        let provider = StepwiseProvider(Self.bytes, isSuspended: true)
        let logs = (0..<20).map { _ in request(asset(.provider(provider)), of: manager).log }
        await provider.waitForHeldReads()
        manager.cancelAllRequests()
        for log in logs { #expect(error(await log.wait().first) == .cancelled) }
        provider.resume()
        await manager.shutdown()
        #expect(logs.allSatisfy { $0.answers.count == 1 })
        #expect(Set(logs.compactMap { $0.answers.first?.info.requestID }).count == 20)
    }
}
