import TestSupport
import Testing
import Thumbwheel

/// What a manager shows of its pipeline's order, bounds and events.
@Suite(.endsHangs) struct ManagerAndPipelineTests {
    @Test(
        "a request that makes way is told so on its own executor, though the one that takes its place is told at once")
    func executor() async {
        let renderer = SuspendableRenderer(isSuspended: true)
        let (log, own) = (ResultLog(), ManualExecutor())
        let manager = ImageManager(renderer, workers: 1, queueLimits: QueueLimits(prefetch: 1))
        manager.requestImage(for: Pictures.asset(0), targetSize: .small, resultHandler: log.handler(0))
        await renderer.waitForCalls(1)
        manager.requestImage(
            for: Pictures.asset(1), targetSize: .small,
            options: ImageRequestOptions {
                $0.priority = .prefetch
                $0.executor = own.executor
            }, resultHandler: log.handler(1))
        let immediate = ImageRequestOptions {
            $0.priority = .prefetch
            $0.allowsImmediateDelivery = true
            $0.executor = own.executor
        }
        manager.requestImage(
            for: Pictures.asset(2), targetSize: .small, options: immediate, resultHandler: log.handler(2))
        #expect(log.entries(1) == [] && own.waitingCount == 1)
        // A request that is cancelled from the start ends at once, on this thread.
        let token = CancellationToken()
        token.cancel()
        var cancelled = immediate
        cancelled.cancellationToken = token
        cancelled.priority = .userInitiated
        manager.requestImage(
            for: Pictures.asset(3), targetSize: .small, options: cancelled, resultHandler: log.handler(3))
        #expect(log.entries(3) == [.cancelled])
        own.runAll()
        #expect(log.entries(1) == [.failed("overloaded")])
        renderer.resume()
        await manager.shutdown(graceful: false)
    }

    @Test("callers of a manager see the error, by type, and in the statistics")
    func overloadedAsFailure() async {
        let renderer = SuspendableRenderer(isSuspended: true)
        let log = ResultLog()
        let limits = QueueLimits(userInitiated: 1, overflow: .rejectsNewest)
        let manager = ImageManager(renderer, workers: 1, queueLimits: limits)
        manager.requestImage(for: Pictures.asset(1), targetSize: .small, resultHandler: log.handler(1))
        await #expect(throws: ImageRequestError.overloaded) {
            _ = try await manager.image(for: Pictures.asset(2), targetSize: .small)
        }
        renderer.resume()
        await log.waitForEnds(1)
        #expect(log.entries(1) == [.final(side: SuspendableRenderer.side)])
        #expect(manager.statistics.prometheusText.contains("thumbwheel_requests_total{outcome=\"shed\"} 1\n"))
    }

    @Test("a manager that was not asked to keep events has none; one that was has them in the order of time")
    func events() async {
        for capacity in [0, 1000] {
            let renderer = SuspendableRenderer()
            let log = ResultLog()
            let manager = ImageManager(renderer, eventCapacity: capacity)
            for number in 0..<10 {
                manager.requestImage(
                    for: Pictures.asset(number), targetSize: .small, resultHandler: log.handler(number))
            }
            await log.waitForEnds(10)
            let events = manager.takeEvents().events
            #expect(
                events.count { if case .requestEnded = $0.kind { true } else { false } } == (capacity == 0 ? 0 : 10))
            #expect(events.map(\.time) == events.map(\.time).sorted())
            #expect(manager.takeEvents() == PipelineEvents())
            await manager.shutdown()
        }
    }

    @Test("a manager predicts the cost from the head of the file")
    func predictedCost() async {
        let renderer = SuspendableRenderer(isSuspended: true)
        let log = ResultLog()
        let manager = ImageManager(renderer, workers: 1)
        for (number, type) in [(0, ContentType.jpeg), (1, .png), (2, .jpeg)] {
            manager.requestImage(
                for: Pictures.asset(number, contentType: type), targetSize: .small, resultHandler: log.handler(number))
        }
        renderer.resume()
        await log.waitForEnds(3)
        #expect(renderer.renditions.map(\.subject.asset.low) == [0, 2, 1])
    }

    @Test("the manager knows them by their files' types")
    func unstoppableFormats() async {
        let renderer = SuspendableRenderer(isSuspended: true)
        let log = ResultLog()
        let manager = ImageManager(renderer, workers: 3)
        for number in 0..<4 {
            manager.requestImage(
                for: Pictures.asset(number, contentType: .avif), targetSize: .small,
                resultHandler: log.handler(number))
        }
        manager.requestImage(for: Pictures.asset(4), targetSize: .small, resultHandler: log.handler(4))
        await renderer.waitForCalls(3)
        #expect(Set(renderer.renditions.map(\.subject.asset.low)) == [0, 1, 4])
        renderer.resume()
        await log.waitForEnds(5)
    }
}
