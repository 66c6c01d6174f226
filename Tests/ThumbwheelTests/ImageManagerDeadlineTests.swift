import TestSupport
import Testing
import Thumbwheel

/// Deadlines by the machine's own timer.
@Suite(.endsHangs) struct ImageManagerDeadlineTests {
    private let renderer = SuspendableRenderer(isSuspended: true)
    private let log = ResultLog()
    private let hurried = ImageRequestOptions { $0.deadline = .milliseconds(2) }

    @Test("a request that is not done by its deadline throws it, and its render stops")
    func deadline() async {
        let manager = ImageManager(renderer, workers: 1)
        await #expect(throws: ImageRequestError.deadlineExceeded) {
            _ = try await manager.image(for: Pictures.asset(1), targetSize: .small, options: hurried)
        }
        await #expect(throws: ImageRequestError.deadlineExceeded) {
            _ = try await manager.imageData(for: Pictures.asset(1), options: hurried)
        }
        await #expect(throws: ImageRequestError.deadlineExceeded) {
            for try await _ in manager.images(for: Pictures.asset(1), targetSize: .small, options: hurried) {}
        }
        await manager.shutdown()
        #expect(renderer.stoppedCount == renderer.callCount)
        #expect(manager.statistics.requests.failed == 3)
    }

    @Test("each of many requests ends once, whatever its deadline and however it ends")
    func manyDeadlines() async {
        let manager = ImageManager(renderer, workers: 2)
        var random = SeededGenerator(seed: 1)
        for number in 0..<400 {
            let deadline = Duration.microseconds(random.index(below: 20_000))
            manager.requestImage(
                for: Pictures.asset(number), targetSize: .small,
                options: ImageRequestOptions { $0.deadline = number.isMultiple(of: 8) ? nil : deadline },
                resultHandler: log.handler(number))
        }
        await log.waitForEnds(350)
        renderer.resume()
        await log.waitForEnds(400)
        #expect(log.terminals.count { $0 == .failed("deadlineExceeded") } == 350)
        #expect(log.violations == [])
    }

    @Test("a render that takes longer than it may fails with that")
    func timeLimit() async {
        let manager = ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = 1
                $0.limits = RenderLimits(duration: .milliseconds(2))
                $0.executor = .inline
            },
            renderer: renderer, recordsRenders: false)
        await #expect(throws: ImageRequestError.rendering(.limitExceeded(limit: .duration))) {
            _ = try await manager.image(for: Pictures.asset(1), targetSize: .small)
        }
    }
}
