import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import Thumbwheel

@Suite(.endsHangs) struct ImageManagerShutdownTests {
    private let renderer = SuspendableRenderer(isSuspended: true)
    private let log = ResultLog()

    private func submit(_ numbers: Range<Int>, to manager: ImageManager) {
        for number in numbers {
            manager.requestImage(
                for: Pictures.asset(number), targetSize: .small, resultHandler: log.handler(number))
        }
    }

    @Test("cancelling all ends what lives, and nothing that comes later")
    func cancelAll() async {
        let manager = ImageManager(renderer)
        submit(0..<20, to: manager)
        manager.cancelAllRequests()
        await log.waitForEnds(20)
        #expect((0..<20).allSatisfy { log.entries($0) == [.cancelled] })
        renderer.resume()
        submit(20..<21, to: manager)
        await log.waitForEnds(21)
        #expect(log.entries(20) == [.final(side: SuspendableRenderer.side)])
        #expect(log.violations == [])
    }

    @Test("a graceful shutdown lets what lives end, and refuses what comes")
    func graceful() async {
        let manager = ImageManager(renderer)
        submit(0..<20, to: manager)
        // What the shutdown begins with, held there.
        manager.pipeline.apply { $0.closeToNewRequests(at: $1) }
        submit(20..<21, to: manager)
        #expect(log.entries(20) == [.cancelled])
        #expect(manager.statistics.liveRequestCount == 20)
        renderer.resume()
        await manager.shutdown(graceful: true)
        #expect((0..<20).allSatisfy { log.entries($0) == [.final(side: SuspendableRenderer.side)] })
        #expect(renderer.runningCount == 0)
        #expect(log.violations == [])
    }

    @Test("an abrupt shutdown cancels what lives and leaves nothing running")
    func abrupt() async {
        let manager = ImageManager(renderer)
        submit(0..<20, to: manager)
        await renderer.waitForCalls(2)
        await manager.shutdown(graceful: false)
        #expect((0..<20).allSatisfy { log.entries($0) == [.cancelled] })
        #expect(renderer.runningCount == 0)
        #expect(manager.statistics.runningRenderCount == 0)
        #expect(log.violations == [])
    }

    /// A fetcher that runs a closure when a fetch is told to stop, and then ends the fetch.
    private final class ReluctantFetcher: ResourceFetcher {
        private let atStop = Mutex<(@Sendable () -> Void)?>(nil)

        func setAtStop(_ body: @escaping @Sendable () -> Void) {
            atStop.withLock { $0 = body }
        }

        func fetch(
            _ assignment: FetchAssignment, progress: @escaping @Sendable (Double) -> Void,
            completion: @escaping @Sendable (FetchOutcome) -> Void
        ) {
            assignment.token.onCancel { [self] in
                atStop.withLock { $0 }?()
                completion(.stopped)
            }
        }
    }

    @Test("a manager destroyed between the decision to start a render and its start leaves nothing behind")
    func betweenDecisionAndStart() async throws {
        // Given: one event stops a fetch and starts a render, in this order.
        let fetcher = ReluctantFetcher()
        let manager = Mutex<ImageManager?>(
            ImageManager.undisturbed(renderer: renderer, fetcher: fetcher) {
                $0.workerCount = 1
                $0.executor = .inline
            })
        let pipeline = try #require(manager.withLock { $0?.pipeline })
        let request = try #require(
            try manager.withLock { manager in
                try manager?.pipelineRequest(
                    for: ImageOrder(
                        asset: Pictures.asset(1), targetSize: .small, contentMode: .aspectFit,
                        options: ImageRequestOptions()),
                    to: ResultReceiver(executor: .inline, handler: log.handler(1)))
            })
        let remote = Asset(
            identifier: AssetIdentifier(high: 5, low: 1), head: Pictures.asset(1).head,
            resource: .provider(SuspendableProvider()), fileSize: 1000, originalFilename: "")
        let id = try #require(
            manager.withLock { manager in
                manager?.requestImage(
                    for: remote, targetSize: .small, options: ImageRequestOptions { $0.isNetworkAccessAllowed = true },
                    resultHandler: log.handler(2))
            })
        // When: the last reference to the manager goes while the fetch is told to stop.
        let isGone = Mutex(false)
        fetcher.setAtStop {
            let last = manager.withLock { $0.take() }
            isGone.withLock { $0 = last != nil }
        }
        pipeline.apply { state, now in
            state.beginBatch()
            state.cancel(id, at: now)
            _ = state.submit(request, at: now)
            state.endBatch(at: now)
        }
        // Then
        #expect(isGone.withLock { $0 })
        _ = pipeline.shutDownAndWait()
        #expect(pipeline.read { $0.statistics.runningRenderCount } == 0)
        #expect(log.entries(1) == [.cancelled] && log.entries(2) == [.cancelled])
        #expect(log.violations == [])
    }

    @Test("shutting down twice, and a manager without work, returns")
    func twice() async {
        let manager = ImageManager(renderer)
        await manager.shutdown()
        await manager.shutdown(graceful: false)
        #expect(manager.statistics.liveRequestCount == 0)
    }
}
