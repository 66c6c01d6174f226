import SimulationKit
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// What ends because time goes by: deadlines of requests, and the time that a render may take.
@Suite struct PipelineDeadlineTests {
    private typealias Rendition = TablePipeline.Rendition

    @Test("at its deadline a request ends with it, exactly once, and its work stops")
    func deadline() {
        // Given
        var pipeline = TablePipeline()
        let running = pipeline.submit(1, deadline: .milliseconds(20))
        let waiting = pipeline.submit(2, deadline: .milliseconds(20))
        // When
        pipeline.driver.advance(byMilliseconds: 19)
        #expect(pipeline.received(running) == [])
        pipeline.driver.advance(byMilliseconds: 1)
        // Then
        #expect(pipeline.received(running) == [.failed("deadlineExceeded")])
        #expect(pipeline.received(waiting) == [.failed("deadlineExceeded")])
        #expect(pipeline.stopped == [Rendition(1)])
        #expect(pipeline.statistics.queuedRenderCount == 0)
        pipeline.finish(Rendition(1))
        pipeline.cancel(running)
        #expect(pipeline.received(running) == [])
        #expect(pipeline.statistics.requests.failed == 2)
        #expect(pipeline.statistics.liveRequestCount == 0)
    }

    @Test("work that others want goes on, at their rank")
    func sharedWork() {
        var pipeline = TablePipeline()
        _ = pipeline.submit(0)
        let hurried = pipeline.submit(1, deadline: .milliseconds(20))
        let patient = pipeline.submit(1, priority: .prefetch)
        _ = pipeline.submit(2, priority: .prefetch, urgency: -1)
        pipeline.driver.advance(byMilliseconds: 20)
        #expect(pipeline.received(hurried) == [.failed("deadlineExceeded")])
        pipeline.finishAll()
        #expect(pipeline.received(patient) == [.final(.high)])
        #expect(pipeline.started.map(\.asset) == [0, 2, 1])
    }

    @Test("what has ended before its deadline leaves no alarm behind", arguments: 0..<3)
    func endedBefore(way: Int) {
        var pipeline = TablePipeline()
        let id = pipeline.submit(1, deadline: .milliseconds(20))
        switch way {
        case 0: pipeline.finish(Rendition(1))
        case 1: pipeline.cancel(id)
        default: pipeline.finish(Rendition(1), with: .failed(.unsupportedMedia))
        }
        let results = pipeline.received(id)
        #expect(results.count == 1)
        // The driver checks after every event that the alarms are those of what lives.
        pipeline.driver.advance(byMilliseconds: 100)
        #expect(pipeline.received(id) == [])
    }

    @Test("a deadline that has come already ends the request at once, unless its image is at hand")
    func noTimeLeft() {
        var pipeline = TablePipeline()
        let late = pipeline.submit(1, deadline: .zero)
        #expect(pipeline.received(late) == [.failed("deadlineExceeded")])
        #expect(pipeline.running == [])
        _ = pipeline.submit(1)
        pipeline.finishAll()
        let cached = pipeline.submit(1, deadline: .milliseconds(-1))
        #expect(pipeline.received(cached) == [.cached(.high)])
    }

    @Test("a degraded image before the deadline stands")
    func degraded() {
        var pipeline = TablePipeline()
        let id = pipeline.submit(1, .opportunistic, hasPreview: true, deadline: .milliseconds(20))
        pipeline.finish(Rendition(1, .preview))
        pipeline.driver.advance(byMilliseconds: 20)
        #expect(
            pipeline.received(id) == [.degraded(side: TablePipeline.previewSide), .failed("deadlineExceeded")])
        #expect(pipeline.stopped == [Rendition(1)])
    }

    @Test("each deadline is met in turn, in whatever order they were given")
    func manyDeadlines() {
        var pipeline = TablePipeline()
        let milliseconds = [50, 20, 80, 10, 70, 40]
        let ids = milliseconds.map { pipeline.submit($0, deadline: .milliseconds($0)) }
        for end in stride(from: 10, through: 80, by: 10) {
            pipeline.driver.advance(byMilliseconds: 10)
            for (id, deadline) in zip(ids, milliseconds) {
                #expect(pipeline.received(id) == (deadline == end ? [.failed("deadlineExceeded")] : []))
            }
        }
    }

    @Test("who waits for a render that takes longer than it may is told so, though its worker does not answer")
    func timeLimit() {
        // Given
        var pipeline = TablePipeline()
        let id = pipeline.submit(1)
        let next = pipeline.submit(2)
        // When
        pipeline.driver.advance(byMilliseconds: 30_000)
        // Then
        #expect(pipeline.received(id) == [.failed("timeLimitExceeded")])
        #expect(pipeline.stopped == [Rendition(1)])
        pipeline.finish(Rendition(1), with: .stopped)
        // The time in the queue does not count.
        #expect(pipeline.running == [Rendition(2)])
        pipeline.driver.advance(byMilliseconds: 29_000)
        pipeline.finish(Rendition(2))
        #expect(pipeline.received(next) == [.final(.high)])
        #expect(pipeline.statistics.renders.failed == 1)
    }

    @Test("who joins a render that does not answer waits no longer than it might have taken")
    func joiningWhatIsStuck() {
        var pipeline = TablePipeline()
        _ = pipeline.submit(1)
        pipeline.driver.advance(byMilliseconds: 40_000)
        let joined = pipeline.submit(1)
        pipeline.driver.advance(byMilliseconds: 20_000)
        #expect(pipeline.received(joined) == [.failed("timeLimitExceeded")])
    }

    @Test("who joins a render that has taken too long has one of its own if that one stops")
    func joining() {
        var pipeline = TablePipeline(workers: 1)
        let slow = pipeline.submit(1)
        pipeline.driver.advance(byMilliseconds: 31_000)
        #expect(pipeline.received(slow) == [.failed("timeLimitExceeded")])
        let joined = pipeline.submit(1)
        pipeline.finish(Rendition(1), with: .stopped)
        #expect(pipeline.received(joined) == [] && pipeline.running == [Rendition(1)])
        pipeline.finish(Rendition(1))
        #expect(pipeline.received(joined) == [.final(.high)])
    }

    @Test("a window does not ask again for what takes too long")
    func windowWork() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1)], in: window)
        pipeline.driver.advance(byMilliseconds: 30_000)
        #expect(pipeline.stopped == [Rendition(1)])
        pipeline.finish(Rendition(1), with: .stopped)
        #expect(pipeline.running == [])
        #expect(pipeline.statistics.queuedRenderCount == 0)
    }
}
