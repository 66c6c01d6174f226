import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks

/// Photographs that are elsewhere, through the manager.
@Suite(.endsHangs) struct NetworkAccessTests {
    private let provider: SuspendableProvider
    private let photograph: [UInt8]
    private let log = ResultLog()
    private let side = PixelSize(width: 24, height: 24)
    private let allowed = ImageRequestOptions {
        $0.deliveryMode = .highQuality
        $0.isNetworkAccessAllowed = true
    }

    init() throws {
        photograph = try Self.picture(width: 96).encoded(as: .jpeg(quality: 90))
        provider = SuspendableProvider("photograph", photograph)
    }

    private static func picture(width: Int) -> Bitmap {
        Bitmap(size: PixelSize(width: width, height: width * 2 / 3), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index / 7) }
        }
    }

    private func asset(_ number: UInt64 = 1, proxy: AssetResource? = nil) throws -> Asset {
        Asset(
            identifier: AssetIdentifier(high: 0, low: number),
            head: try ImageHead(reading: MemoryByteSource(photograph)), resource: .provider(provider),
            fileSize: photograph.count, originalFilename: "photograph.jpg", otherResources: [proxy].compactMap(\.self))
    }

    @Test("a photograph elsewhere is fetched, rendered, and its result says so")
    func fetched() async throws {
        let manager = ImageManager.undisturbed()
        let asset = try asset()
        manager.requestImage(for: asset, targetSize: side, options: allowed, resultHandler: log.handler())
        await provider.waitForFetches()
        provider.answer()
        await log.waitForEnds()
        #expect(log.entries() == [.final(side: 24)])
        #expect(log.info()?.isFromNetwork == true)
        #expect(log.info()?.source != .cache)
        // From now on the cache has it, with or without leave.
        manager.requestImage(for: asset, targetSize: side, resultHandler: log.handler(2))
        await log.waitForEnds(2)
        #expect(log.info(2)?.source == .cache)
        #expect(log.info(2)?.isFromNetwork == true)
        #expect(provider.fetchCount == 1)
        #expect(manager.statistics.fetches.byteCount == photograph.count)
    }

    @Test("without leave the request fails at once, and its data too; nothing is fetched")
    func refused() async throws {
        let manager = ImageManager.undisturbed()
        let asset = try asset()
        for mode in DeliveryMode.allCases {
            await #expect(throws: ImageRequestError.networkAccessRequired) {
                try await manager.image(
                    for: asset, targetSize: side, options: ImageRequestOptions { $0.deliveryMode = mode })
            }
        }
        await #expect(throws: ImageRequestError.networkAccessRequired) { try await manager.imageData(for: asset) }
        await #expect(throws: ImageRequestError.networkAccessRequired) {
            try await manager.imageData(for: asset, targetSize: side)
        }
        #expect(provider.fetchCount == 0)
    }

    @Test("the synchronous form fails without leave, and waits for the bytes with it")
    func synchronous() async throws {
        let manager = ImageManager.undisturbed()
        let asset = try asset()
        let (side, allowed, provider) = (side, allowed, provider)
        let results = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let refused = manager.requestImageSynchronously(for: asset, targetSize: side)
                Task {
                    await provider.waitForFetches()
                    provider.answer()
                }
                continuation.resume(
                    returning: [
                        refused, manager.requestImageSynchronously(for: asset, targetSize: side, options: allowed),
                    ])
            }
        }
        guard case .failed(.networkAccessRequired, _) = results[0], case .final = results[1] else {
            Issue.record("\(results)")
            return
        }
    }

    @Test("a proxy that is at hand is the degraded image of what is elsewhere", arguments: [false, true])
    func proxy(isAllowed: Bool) async throws {
        let manager = ImageManager.undisturbed()
        let proxy = try Self.picture(width: 12).encoded(as: .png)
        let asset = try asset(proxy: AssetResource(type: .photoProxy, source: .bytes(proxy)))
        manager.requestImage(
            for: asset, targetSize: side,
            options: ImageRequestOptions { $0.isNetworkAccessAllowed = isAllowed },
            resultHandler: log.handler { [provider] result in
                if case .degraded = result { Task { provider.answer() } }
            })
        if isAllowed { await provider.waitForFetches() }
        if isAllowed, !log.entries().isEmpty { provider.answer() }
        await log.waitForEnds()
        #expect(
            log.entries() == [.degraded(side: 12), isAllowed ? .final(side: 24) : .failed("networkAccessRequired")])
        #expect(log.violations == [])
    }

    @Test("a slow provider holds no worker: photographs at hand are rendered meanwhile")
    func slowProvider() async throws {
        let manager = ImageManager.undisturbed { $0.workerCount = 1 }
        let task = Task { try await manager.image(for: asset(), targetSize: side, options: allowed) }
        await provider.waitForFetches()
        let local = Asset(
            identifier: AssetIdentifier(high: 0, low: 2),
            head: try ImageHead(reading: MemoryByteSource(photograph)), resource: .bytes(photograph),
            fileSize: photograph.count, originalFilename: "local.jpg")
        _ = try await manager.image(for: local, targetSize: side)
        #expect(manager.statistics.runningRenderCount == 0)
        provider.answer()
        _ = try await task.value
    }

    @Test("progress is told before the result, and can stop the request and with it the fetch")
    func progress() async throws {
        let manager = ImageManager.undisturbed()
        let told = Mutex<[Double]>([])
        var options = allowed
        options.executor = .inline
        let named = Mutex<Set<ImageRequestID>>([])
        options.progressHandler = { progress, stop in
            told.withLock { $0.append(progress.fraction) }
            _ = named.withLock { $0.insert(progress.requestID) }
            stop = progress.fraction > 0.5
        }
        let id = manager.requestImage(
            for: try asset(), targetSize: side, options: options, resultHandler: log.handler())
        await provider.waitForFetches()
        provider.progress(to: 0.25)
        #expect(log.entries() == [])
        provider.progress(to: 0.75)
        await log.waitForEnds()
        #expect(told.withLock { $0 } == [0.25, 0.75])
        #expect(named.withLock { $0 } == [id])
        #expect(log.entries() == [.cancelled])
        await manager.shutdown()
        #expect(provider.cancelledCount == 1)
    }

    @Test("bytes that cannot come are told to the progress handler, once and before the result")
    func progressError() async throws {
        let manager = ImageManager.undisturbed()
        let told = Mutex<[ImageProgress]>([])
        let log = log
        var options = allowed
        options.executor = .inline
        options.progressHandler = { progress, _ in
            #expect(log.entries() == [])
            told.withLock { $0.append(progress) }
        }
        manager.requestImage(for: try asset(), targetSize: side, options: options, resultHandler: log.handler())
        await provider.waitForFetches()
        provider.progress(to: 0.25)
        provider.answer(.network(.timedOut))
        await log.waitForEnds()
        let all = told.withLock { $0 }
        #expect(all.map(\.fraction) == [0.25, 0.25])
        #expect(all.map(\.error) == [nil, .network(.timedOut)])
        #expect(log.terminals.count == 1)
    }

    @Test("many requests for one photograph are one fetch, which goes on until the last of them leaves")
    func shared() async throws {
        let manager = ImageManager.undisturbed()
        let asset = try asset()
        let first = manager.requestImage(
            for: asset, targetSize: side, options: allowed, resultHandler: log.handler(1))
        let second = manager.requestImage(
            for: asset, targetSize: PixelSize(width: 48, height: 48), options: allowed, resultHandler: log.handler(2))
        await provider.waitForFetches()
        manager.cancelImageRequest(first)
        #expect(provider.cancelledCount == 0)
        manager.cancelImageRequest(second)
        await manager.shutdown()
        #expect(provider.cancelledCount == 1)
        #expect(provider.fetchCount == 1)
        #expect(log.terminals == [.cancelled, .cancelled])
    }

    @Test("what the network says is the request's error")
    func errors() async throws {
        let manager = ImageManager.undisturbed()
        let expected: [(ByteSourceError, ImageRequestError)] = [
            (.network(.timedOut), .network(.timedOut)), (.network(.status(404)), .network(.status(404))),
            (.network(.tooLarge(limit: 1)), .rendering(.limitExceeded(limit: .bytes))),
            (.notFound(path: "x"), .rendering(.source(.notFound(path: "x")))),
        ]
        for (number, (error, requestError)) in expected.enumerated() {
            let task = Task { try await manager.image(for: asset(), targetSize: side, options: allowed) }
            await provider.waitForFetches(number + 1)
            provider.answer(error)
            await #expect(throws: requestError) { try await task.value }
        }
    }

    @Test("a file known to be beyond the limit of bytes is not fetched")
    func limit() async throws {
        let manager = ImageManager.undisturbed { $0.limits.byteCount = photograph.count - 1 }
        let asset = try asset()
        await #expect(throws: ImageRequestError.rendering(.limitExceeded(limit: .bytes))) {
            try await manager.image(for: asset, targetSize: side, options: allowed)
        }
        #expect(provider.fetchCount == 0)
    }

    @Test("windows fetch only with leave")
    func windows() async throws {
        let manager = ImageManager.undisturbed()
        let caching = CachingImageManager(manager)
        let asset = try asset()
        caching.startCachingImages(for: [asset], targetSize: side)
        #expect(manager.statistics.fetches.started == 0)
        caching.startCachingImages(for: [asset], targetSize: side, options: allowed)
        await provider.waitForFetches()
        caching.stopCachingImagesForAllAssets()
        await manager.shutdown()
        #expect(provider.cancelledCount == 1)
    }

    @Test("a provider that only opens is read in pieces, told as progress, on a thread that may wait")
    func defaultFetch() async throws {
        struct Opening: ResourceProvider {
            let identifier = "opening"
            let requiresNetwork = true
            let contents: [UInt8]
            func open() -> any ByteSource { MemoryByteSource(contents) }
        }
        let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0) }
        let fractions = Mutex<[Double]>([])
        let fetched = try await Opening(contents: bytes).fetch(upTo: bytes.count) { fraction in
            fractions.withLock { $0.append(fraction) }
        }
        #expect(fetched == bytes)
        #expect(fractions.withLock { $0.count } == 3)
        #expect(fractions.withLock { $0.last } == 1)
        await #expect(throws: ByteSourceError.network(.tooLarge(limit: 599_999))) {
            try await Opening(contents: bytes).fetch(upTo: 599_999) { _ in }
        }
    }
}
