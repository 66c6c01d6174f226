import Foundation
import TestSupport
import Testing
import Thumbwheel

@Suite("Requests for Live Photos", .endsHangs) struct LivePhotoTests {
    private let size = PixelSize(width: 64, height: 64)
    /// A movie of ten seconds whose still was taken after 1.55.
    private static let movie: [UInt8] = {
        var file = MovieFile()
        file.tracks += [.sound(), .still(id: 3, at: 930)]
        return file.encoded()
    }()

    private func manager(_ renderer: SuspendableRenderer = SuspendableRenderer()) -> ImageManager {
        ImageManager.undisturbed(renderer: renderer) {
            $0.workerCount = 1
            $0.memoryBudget = 1 << 24
        }
    }

    private func asset(_ movie: AssetResource.Source? = .bytes(movie), hasPreview: Bool = false) -> Asset {
        let photograph = Pictures.asset(1, hasPreview: hasPreview)
        return Asset(
            identifier: photograph.identifier, head: photograph.head, resource: photograph.resource,
            fileSize: photograph.fileSize, originalFilename: "a.heic", mediaSubtypes: .photoLive,
            otherResources: movie.map { [AssetResource(type: .pairedVideo, source: $0)] } ?? [])
    }

    private func request(
        _ asset: Asset, of manager: ImageManager, _ options: ImageRequestOptions = ImageRequestOptions()
    ) -> (log: AnswerLog<LivePhotoResult>, id: ImageRequestID) {
        let log = AnswerLog<LivePhotoResult>()
        let id = manager.requestLivePhoto(
            for: asset, targetSize: size, options: options, resultHandler: log.receive)
        return (log, id)
    }

    /// Waits until a request has ended.
    private func end(_ log: AnswerLog<LivePhotoResult>) async -> [LivePhotoResult] {
        var count = 1
        while true {
            let answers = await log.wait(for: count)
            if answers.last?.isTerminal == true { return answers }
            count = answers.count + 1
        }
    }

    private func words(_ results: [LivePhotoResult]) -> [String] {
        results.map { result in
            switch result {
            case .degraded(let photo, _): "degraded \(photo.still.size.width) \(photo.movie == nil ? "-" : "movie")"
            case .final(let photo, _): "final \(photo.still.size.width) \(photo.movie == nil ? "-" : "movie")"
            case .failed(let error, _): error.name
            case .cancelled: "cancelled"
            }
        }
    }

    @Test("a pair is delivered with its still, its movie and the time of the still")
    func pair() async throws {
        let manager = manager()
        for deliveryMode in [DeliveryMode.highQuality, .fast] {
            let (log, id) = request(asset(), of: manager, ImageRequestOptions { $0.deliveryMode = deliveryMode })
            let results = await end(log)
            #expect(words(results) == ["final 16 movie"])
            let result = try #require(results.last)
            #expect(result.livePhoto?.stillTime == 1.55 && result.livePhoto?.movie?.tracks.count == 3)
            #expect(result.info.requestID == id && result.info.asset == asset().identifier)
            #expect(!result.info.isDegraded && result.info.source != nil)
        }
        #expect(try await manager.livePhoto(for: asset(), targetSize: size).stillTime == 1.55)
        await manager.shutdown()
    }

    @Test("stills come before the Live Photo is complete, with the movie once it is there")
    func degraded() async throws {
        let provider = StepwiseProvider(Self.movie, isSuspended: true)
        let manager = manager()
        let (log, id) = request(asset(.provider(provider), hasPreview: true), of: manager)
        // Preview and final still come while the movie is held up.
        let first = await log.wait(for: 2)
        #expect(words(first) == ["degraded 4 -", "degraded 16 -"])
        #expect(first.allSatisfy { $0.info.isDegraded && $0.info.requestID == id })
        provider.resume()
        #expect(words(await end(log)).last == "final 16 movie" && log.answers.count == 3)

        // Here the movie comes first, and the still is held up.
        let renderer = SuspendableRenderer(isSuspended: true)
        let other = self.manager(renderer)
        let opened = AnswerLog<ImageProgress>()
        let elsewhere = StepwiseProvider(Self.movie, requiresNetwork: true)
        let options = ImageRequestOptions {
            $0.isNetworkAccessAllowed = true
            $0.progressHandler = { progress, _ in opened.receive(progress) }
        }
        let (late, _) = request(asset(.provider(elsewhere)), of: other, options)
        #expect(await opened.wait(for: 2).map(\.fraction) == [0, 1])
        #expect(late.answers.isEmpty)
        renderer.resume()
        #expect(words(await end(late)) == ["final 16 movie"] && late.answers[0].info.isFromNetwork)
        await manager.shutdown()
        await other.shutdown()
    }

    @Test("a photograph without a movie, and a pair of which one half cannot be had, fail")
    func failures() async throws {
        let manager = manager()
        #expect(words(await end(request(asset(nil), of: manager).log)) == ["unsupportedMedia"])
        let missing = asset(.file(path: "/missing.mov"))
        let high = ImageRequestOptions { $0.deliveryMode = .highQuality }
        #expect(words(await end(request(missing, of: manager, high).log)) == ["notFound"])
        let video = Asset(
            identifier: .random(), mediaType: .video,
            head: ImageHead(contentType: .quickTime, storedSize: size),
            resource: AssetResource(type: .video, source: .bytes(Self.movie)), fileSize: 10, originalFilename: "a.mov")
        #expect(words(await end(request(video, of: manager).log)) == ["unsupportedMedia"])
        let broken = self.manager(SuspendableRenderer { _ in .failure(.rendering(.truncated(decodedFraction: 0))) })
        #expect(words(await end(request(asset(), of: broken).log)) == ["truncated"])
        await #expect(throws: ImageRequestError.unsupportedMedia) {
            try await manager.livePhoto(for: asset(nil), targetSize: size)
        }
        await manager.shutdown()
        await broken.shutdown()
    }

    @Test("a movie elsewhere needs leave, though the still is here")
    func network() async throws {
        let renderer = SuspendableRenderer()
        let manager = manager(renderer)
        let provider = StepwiseProvider(Self.movie, requiresNetwork: true)
        let results = await end(request(asset(.provider(provider)), of: manager).log)
        #expect(words(results) == ["networkAccessRequired"] && results[0].info.isInCloud)
        #expect(provider.readCount == 0 && renderer.callCount == 0)
        await manager.shutdown()
    }

    @Test("cancelling ends both halves, once", arguments: [false, true])
    func cancellation(isMovieHeld: Bool) async throws {
        let renderer = SuspendableRenderer(isSuspended: !isMovieHeld)
        let manager = manager(renderer)
        let provider = StepwiseProvider(Self.movie, isSuspended: isMovieHeld)
        let (log, id) = request(
            asset(.provider(provider)), of: manager, ImageRequestOptions { $0.deliveryMode = .highQuality })
        if isMovieHeld { await provider.waitForHeldReads() } else { await renderer.waitForCalls(1) }
        manager.cancelImageRequest(id)
        #expect(words(await end(log)) == ["cancelled"])
        provider.resume()
        renderer.resume()
        await manager.shutdown()
        // The still may be ready or not when the wait for the movie is cancelled.
        #expect(log.answers.count == 1 && (isMovieHeld || renderer.stoppedCount == 1))
    }

    @Test("a task that is cancelled already reads and renders nothing")
    func cancelledTask() async throws {
        let renderer = SuspendableRenderer()
        let manager = manager(renderer)
        let provider = StepwiseProvider(Self.movie)
        let asset = asset(.provider(provider))
        let task = Task { [size] in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await manager.livePhoto(for: asset, targetSize: size)
        }
        await #expect(throws: ImageRequestError.cancelled) { try await task.value }
        await manager.shutdown()
        #expect(provider.readCount == 0 && renderer.callCount == 0)
    }

    @Test("a deadline holds for the movie as well")
    func deadline() async throws {
        let manager = manager()
        let provider = StepwiseProvider(Self.movie, isSuspended: true)
        let options = ImageRequestOptions {
            $0.deliveryMode = .highQuality
            $0.deadline = .milliseconds(1)
        }
        #expect(words(await end(request(asset(.provider(provider)), of: manager, options).log)) == ["deadlineExceeded"])
        provider.resume()
        await manager.shutdown()
    }

    @Test("the edited movie belongs to the current version, the original one to the others")
    func versions() async throws {
        let (manager, library, folder) = (manager(), PhotoLibrary(), try ScratchFolder())
        var (original, edited) = (MovieFile(), MovieFile())
        // Only short movies pair by their names.
        original.duration = 1800
        original.tracks = [MovieFileTrack(), .still(id: 3, at: 930)]
        edited.duration = 1800
        edited.tracks = [MovieFileTrack(), .still(id: 3, at: 300)]
        let picture = try Pictures.bitmap(side: 8).encoded(as: .jpeg(quality: 90))
        for (name, bytes) in [
            ("IMG_0001.JPG", picture), ("IMG_0001.MOV", original.encoded()), ("IMG_E0001.JPG", picture),
            ("IMG_E0001.MOV", edited.encoded()),
        ] { try folder.write(name, bytes) }
        _ = try await library.importFolder(at: folder.path)
        let asset = try #require(Array(library.fetchAssets()).first)
        #expect(asset.isLivePhoto && asset.hasAdjustments && library.fetchAssets().count == 1)
        for (version, time) in [(ImageVersion.current, 0.5), (.unadjusted, 1.55), (.original, 1.55)] {
            let options = ImageRequestOptions { $0.version = version }
            let photo = try await manager.livePhoto(for: asset, targetSize: size, options: options)
            #expect(photo.stillTime == time, "\(version)")
        }
        await manager.shutdown()
    }
}
