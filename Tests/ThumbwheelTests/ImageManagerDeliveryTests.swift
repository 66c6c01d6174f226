import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks

/// Where handlers run, and what they may do there.
@Suite(.endsHangs) struct ImageManagerDeliveryTests {
    private let renderer = SuspendableRenderer()
    private let log = ResultLog()
    private let manual = ManualExecutor()

    @Test("a cached image comes on the caller's thread before the call returns, where that is allowed")
    func immediateDelivery() async throws {
        let manager = ImageManager(renderer, executor: manual.executor)
        _ = try await manager.image(for: Pictures.asset(1), targetSize: .small)
        checkImmediateDelivery(of: manager)
    }

    /// Synchronous, so that the thread stays the same.
    private func checkImmediateDelivery(of manager: ImageManager) {
        let thread = Thread.current
        var options = ImageRequestOptions {
            $0.deliveryMode = .highQuality
            $0.allowsImmediateDelivery = true
        }
        manager.requestImage(
            for: Pictures.asset(1), targetSize: .small, options: options, resultHandler: log.handler(1))
        #expect(log.entries(1) == [.final(side: SuspendableRenderer.side)])
        #expect(log.ran(1, on: thread))
        // A smaller one of the same photograph is at hand: good enough for the degraded image, and at once.
        options.deliveryMode = .opportunistic
        renderer.suspend()
        let id = manager.requestImage(
            for: Pictures.asset(1), targetSize: .maximum, options: options, resultHandler: log.handler(2))
        #expect(log.entries(2) == [.degraded(side: SuspendableRenderer.side)])
        manager.cancelImageRequest(id)
        // Not allowed: the executor has it.
        options.allowsImmediateDelivery = false
        manager.requestImage(
            for: Pictures.asset(1), targetSize: .small, options: options, resultHandler: log.handler(3))
        #expect(log.entries(3) == [])
        manual.runAll()
        #expect(log.entries(2) == [.degraded(side: SuspendableRenderer.side), .cancelled])
        #expect(log.entries(3) == [.final(side: SuspendableRenderer.side)])
        #expect(log.violations == [])
    }

    @Test("the request's executor goes before the manager's")
    func executors() async {
        let manager = ImageManager(renderer, executor: manual.executor)
        let own = ManualExecutor()
        manager.requestImage(for: Pictures.asset(1), targetSize: .small, resultHandler: log.handler(1))
        manager.requestImage(
            for: Pictures.asset(2), targetSize: .small, options: ImageRequestOptions { $0.executor = own.executor },
            resultHandler: log.handler(2))
        _ = try? await manager.image(for: Pictures.asset(1), targetSize: .small)
        _ = try? await manager.image(for: Pictures.asset(2), targetSize: .small)
        // When the workers have left, all that they had to hand out is handed out.
        _ = manager.pipeline.shutDownAndWait()
        #expect(manual.waitingCount == 1)
        #expect(own.waitingCount == 1)
        own.runAll()
        #expect(log.entries(1) == [])
        #expect(log.entries(2) == [.final(side: SuspendableRenderer.side)])
        manual.runAll()
        #expect(log.endedCount == 2)
    }

    @Test("handlers submit, cancel, move and prepare from inside, whatever thread they run on")
    func reentry() async {
        let manager = ImageManager(renderer)
        let caching = CachingImageManager(manager)
        let size = PixelSize.small
        manager.requestImage(
            for: Pictures.asset(1), targetSize: size,
            resultHandler: log.handler(1) { [log, renderer] _ in
                caching.startCachingImages(for: (10..<15).map { Pictures.asset($0) }, targetSize: size)
                // Held up, so that no worker is done before it is cancelled.
                renderer.suspend()
                let id = manager.requestImage(
                    for: Pictures.asset(2), targetSize: size,
                    resultHandler: log.handler(2) { _ in
                        caching.stopCachingImagesForAllAssets()
                        manager.requestImage(
                            for: Pictures.asset(3), targetSize: size, resultHandler: log.handler(3))
                    })
                manager.setPriority(.background, of: id)
                manager.cancelImageRequest(id)
                renderer.resume()
                _ = manager.statistics
            })
        await log.waitForEnds(3)
        #expect(log.entries(2) == [.cancelled])
        #expect(log.entries(3) == [.final(side: SuspendableRenderer.side)])
        #expect(log.violations == [])
    }

    @Test("a handler that waits for other work waits for work that has begun")
    func waitingHandler() async throws {
        // Given: a render that takes the whole budget, and two that begin together when it is over.
        let asset = Pictures.asset(1)
        let whole = RenderOptions(targetSize: .maximum, contentMode: .aspectFit, resizeMode: .fast)
        let cost = try RenderCost(head: asset.head, options: whole, byteCount: asset.fileSize)
        renderer.suspend()
        let manager = ImageManager(renderer, memoryBudget: cost.predictedByteCount)
        let arrival = DispatchSemaphore(value: 0)
        // When: its handler, on the worker's own thread, waits for the one that begins on the other worker.
        manager.requestImage(
            for: asset, targetSize: .maximum, resultHandler: log.handler(1) { _ in arrival.wait() })
        await renderer.waitForCalls(1)
        manager.requestImage(for: Pictures.asset(2), targetSize: .small, resultHandler: log.handler(2))
        manager.requestImage(
            for: Pictures.asset(3), targetSize: .small, resultHandler: log.handler(3) { _ in arrival.signal() })
        #expect(renderer.callCount == 1)
        renderer.resume()
        // Then
        await log.waitForEnds(3)
        #expect(log.violations == [])
    }

    @Test("the synchronous form gives one result of high quality, which no token can take away")
    func synchronousForm() {
        let manager = ImageManager(renderer, executor: manual.executor)
        let token = CancellationToken()
        token.cancel()
        let result = manager.requestImageSynchronously(
            for: Pictures.asset(1, hasPreview: true), targetSize: .small,
            options: ImageRequestOptions {
                $0.deliveryMode = .fast
                $0.cancellationToken = token
            })
        guard case .final(let bitmap, let info) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(bitmap.size.width == SuspendableRenderer.side)
        #expect(info.source == .reduced)
        #expect(renderer.renditions.map(\.kind) == [.high])
        let refused = manager.requestImageSynchronously(for: Pictures.asset(1), targetSize: .zero)
        guard case .failed(.invalidRequest, _) = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(manual.waitingCount == 0)
    }

    @Test("when the manager goes away its live requests end as cancelled and its renders stop")
    func teardown() async {
        // Given
        renderer.suspend()
        var manager: ImageManager? = ImageManager(renderer)
        let pipeline = manager!.pipeline
        for number in 0..<10 {
            manager!.requestImage(
                for: Pictures.asset(number), targetSize: .small, resultHandler: log.handler(number))
        }
        await renderer.waitForCalls(2)
        // When
        manager = nil
        // Then
        #expect(log.endedCount == 10)
        #expect(log.terminals.allSatisfy { $0 == .cancelled })
        _ = pipeline.shutDownAndWait()
        #expect(renderer.callCount == 2)
        #expect(renderer.stoppedCount == 2)
        #expect(renderer.runningCount == 0)
    }

    @Test("a manager may go away in a handler on its own worker's thread")
    func teardownInHandler() async {
        let box = Mutex<ImageManager?>(ImageManager(renderer, workers: 1))
        await withCheckedContinuation { continuation in
            box.withLock { $0 }?.requestImage(
                for: Pictures.asset(1), targetSize: .small,
                resultHandler: log.handler { _ in
                    let last = box.withLock { manager in
                        defer { manager = nil }
                        return manager
                    }
                    withExtendedLifetime(last) {}
                    continuation.resume()
                })
        }
        #expect(log.entries() == [.final(side: SuspendableRenderer.side)])
    }
}
