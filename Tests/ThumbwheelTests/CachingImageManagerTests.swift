import Dispatch
import TestSupport
import Testing

@testable import Thumbwheel

@Suite(.endsHangs) struct CachingImageManagerTests {
    private let renderer = SuspendableRenderer()
    private let log = ResultLog()

    @Test("what is prepared serves the requests for the same, no options being the default ones")
    func preparation() async {
        let manager = ImageManager(renderer, workers: 1)
        let caching = CachingImageManager(manager)
        caching.startCachingImages(for: [Pictures.asset(1), Pictures.asset(2)], targetSize: .small)
        caching.startCachingImages(
            for: [Pictures.asset(1)], targetSize: .small, contentMode: .aspectFit, options: ImageRequestOptions())
        // A request of lower priority: it ends when all that was prepared is there.
        manager.requestImage(
            for: Pictures.asset(3), targetSize: .small, options: ImageRequestOptions { $0.priority = .background },
            resultHandler: log.handler(3))
        await log.waitForEnds(1)
        caching.requestImage(for: Pictures.asset(1), targetSize: .small, resultHandler: log.handler(1))
        caching.requestImage(
            for: Pictures.asset(2), targetSize: .small, options: ImageRequestOptions(), resultHandler: log.handler(2))
        await log.waitForEnds(3)
        #expect(log.info(1)?.source == .cache)
        #expect(log.info(2)?.source == .cache)
        #expect(renderer.callCount == 3)
        #expect(manager.statistics.cache.hits == 2)
        #expect(manager.statistics.cache.lookups == 2)
    }

    @Test("when the caching manager goes away so do its wishes, and nobody else's")
    func goingAway() async {
        renderer.suspend()
        let manager = ImageManager(renderer, workers: 1)
        let other = CachingImageManager(manager)
        var caching: CachingImageManager? = CachingImageManager(manager)
        caching!.startCachingImages(for: (0..<10).map { Pictures.asset($0) }, targetSize: .small)
        other.startCachingImages(for: [Pictures.asset(5)], targetSize: .small)
        await renderer.waitForCalls(1)
        #expect(manager.statistics.queuedRenderCount == 9)
        caching = nil
        #expect(manager.statistics.queuedRenderCount <= 1)
        await renderer.waitForCalls(2)
        #expect(renderer.stoppedCount == 1)
        #expect(renderer.renditions.last?.subject.asset == Pictures.asset(5).identifier)
        renderer.resume()
    }

    @Test("a hundred thousand assets are started and stopped in pieces, the first at once and the rest in order")
    func longLists() throws {
        renderer.suspend()
        let manager = ImageManager(renderer, workers: 1)
        let queue = DispatchQueue(label: "pieces")
        queue.suspend()
        let caching = CachingImageManager(manager, feedingOn: .queue(queue))
        let assets = (0..<100_000).map { Pictures.asset($0) }
        caching.startCachingImages(for: assets, targetSize: .small)
        let first = caching.window.imageCount
        #expect(first > 0 && first <= 1_000)
        caching.stopCachingImages(for: assets[50_000...], targetSize: .small)
        #expect(caching.window.imageCount == first)
        queue.resume()
        queue.sync {}
        #expect(manager.windows.map(\.imageCount) == [50_000])
        // When
        queue.suspend()
        caching.stopCachingImagesForAllAssets()
        caching.startCachingImages(for: assets.prefix(3), targetSize: .small)
        // Then: the call gave up a part, and what was started after it stays.
        #expect(caching.window.imageCount < 50_000 && caching.window.imageCount > 40_000)
        queue.resume()
        queue.sync {}
        #expect(caching.window.imageCount == 3)
        renderer.resume()
    }

    @Test("stopping all takes back what was to be started, and the switch turns at once")
    func supersededLists() {
        renderer.suspend()
        let manager = ImageManager(renderer, workers: 1)
        let queue = DispatchQueue(label: "pieces")
        queue.suspend()
        let caching = CachingImageManager(manager, feedingOn: .queue(queue))
        caching.startCachingImages(for: (0..<5_000).map { Pictures.asset($0) }, targetSize: .small)
        caching.allowsCachingHighQualityImages = false
        #expect(!caching.allowsCachingHighQualityImages)
        caching.stopCachingImagesForAllAssets()
        queue.resume()
        queue.sync {}
        #expect(
            caching.window
                == CachingWindow(
                    imageCount: 0, readyCount: 0, readyByteCount: 0, allowsHighQuality: false))
        renderer.resume()
    }

    @Test("what cannot be rendered has no place in a window")
    func unusableAssets() {
        renderer.suspend()
        let manager = ImageManager(renderer, workers: 1)
        let caching = CachingImageManager(manager)
        caching.startCachingImages(for: [Pictures.asset(1, mediaType: .video)], targetSize: .small)
        caching.startCachingImages(for: [Pictures.asset(2)], targetSize: .zero)
        #expect(manager.statistics.queuedRenderCount + manager.statistics.runningRenderCount == 0)
        caching.stopCachingImages(for: [Pictures.asset(1, mediaType: .video)], targetSize: .small)
        renderer.resume()
    }

    @Test("with high quality switched off, windows are filled with cheap renditions")
    func qualitySwitch() async {
        let manager = ImageManager(renderer, workers: 1)
        let caching = CachingImageManager(manager)
        #expect(caching.allowsCachingHighQualityImages)
        caching.allowsCachingHighQualityImages = false
        #expect(!caching.allowsCachingHighQualityImages)
        caching.startCachingImages(for: [Pictures.asset(1)], targetSize: .small)
        await renderer.waitForCalls(1)
        caching.allowsCachingHighQualityImages = true
        await renderer.waitForCalls(2)
        #expect(renderer.renditions.map(\.kind) == [.fast, .high])
    }

    @Test("stopping ends what was started, for some assets and for all")
    func stopping() async {
        renderer.suspend()
        let manager = ImageManager(renderer, workers: 1)
        let caching = CachingImageManager(manager)
        caching.startCachingImages(for: (0..<10).map { Pictures.asset($0) }, targetSize: .small)
        await renderer.waitForCalls(1)
        caching.stopCachingImages(for: (5..<10).map { Pictures.asset($0) }, targetSize: .small)
        #expect(manager.statistics.queuedRenderCount == 4)
        // Another size is another thing.
        caching.stopCachingImages(for: (0..<5).map { Pictures.asset($0) }, targetSize: .maximum)
        #expect(manager.statistics.queuedRenderCount == 4)
        caching.stopCachingImagesForAllAssets()
        #expect(manager.statistics.queuedRenderCount == 0)
        _ = manager.pipeline.shutDownAndWait()
        #expect(renderer.callCount == 1)
        #expect(renderer.stoppedCount == 1)
    }
}
