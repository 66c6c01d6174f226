import TestSupport
import Testing
import Thumbwheel

@Suite(.timeLimit(.minutes(2))) struct CachingImageManagerTests {
    private let renderer = SuspendableRenderer()
    private let log = ResultLog()

    @Test("what is prepared serves the requests for the same, no options being the default ones")
    func preparation() async {
        let manager = ImageManager(renderer, workers: 1)
        let caching = CachingImageManager(manager)
        caching.startCachingImages(for: [Pictures.asset(1), Pictures.asset(2)], targetSize: .small)
        caching.startCachingImages(
            for: [Pictures.asset(1)], targetSize: .small, contentMode: .fit, options: ImageRequestOptions())
        // A request of lower priority: it ends when all that was prepared is there.
        manager.requestImage(
            for: Pictures.asset(3), targetSize: .small, options: ImageRequestOptions(priority: .background),
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
