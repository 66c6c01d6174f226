import SimulationKit
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// Semantics.md, "Cancellation".
@Suite struct PipelineCancellationTests {
    typealias Rendition = TablePipeline.Rendition

    @Test("cancelling a waiting request gives one `.cancelled`, and its job disappears")
    func waiting() {
        var pipeline = TablePipeline()
        let running = pipeline.submit(1)
        let waiting = pipeline.submit(2)
        pipeline.cancel(waiting)
        pipeline.cancel(waiting)
        #expect(pipeline.received(waiting) == [.cancelled])
        #expect(pipeline.statistics.queuedRenderCount == 0)
        pipeline.cancel(waiting)
        #expect(pipeline.received(waiting) == [])
        pipeline.finish(Rendition(1))
        #expect(pipeline.started == [Rendition(1)])
        #expect(pipeline.received(running) == [.final(.high)])
    }

    @Test("cancelling the last subscriber stops the job, and its worker is free when it has stopped")
    func lastSubscriber() {
        var pipeline = TablePipeline()
        let one = pipeline.submit(1)
        let other = pipeline.submit(1)
        let next = pipeline.submit(2)
        pipeline.cancel(one)
        #expect(pipeline.stopped == [])
        pipeline.cancel(other)
        #expect(pipeline.stopped == [Rendition(1)])
        #expect(pipeline.received(one) == [.cancelled])
        #expect(pipeline.received(other) == [.cancelled])
        pipeline.finish(Rendition(1), with: .stopped)
        #expect(pipeline.running == [Rendition(2)])
        #expect(pipeline.statistics.renders.stopped == 1)
        pipeline.finish(Rendition(2))
        #expect(pipeline.received(next) == [.final(.high)])
    }

    @Test("a job wanted again while it stops is done after all", arguments: [true, false])
    func wantedAgain(isTooLateToStop: Bool) {
        var pipeline = TablePipeline()
        pipeline.cancel(pipeline.submit(1))
        let again = pipeline.submit(1)
        if isTooLateToStop {
            pipeline.finish(Rendition(1))
            #expect(pipeline.started.count == 1)
        } else {
            pipeline.finish(Rendition(1), with: .stopped)
            #expect(pipeline.running == [Rendition(1)])
            pipeline.finish(Rendition(1))
        }
        #expect(pipeline.received(again) == [.final(.high)])
    }

    @Test("what a stopped job has made all the same is kept for the next who asks")
    func madeDespiteCancellation() {
        var pipeline = TablePipeline()
        let id = pipeline.submit(1)
        pipeline.cancel(id)
        pipeline.finish(Rendition(1))
        #expect(pipeline.received(id) == [.cancelled])
        let next = pipeline.submit(1)
        #expect(pipeline.received(next) == [.cached(.high)])
    }

    @Test("a degraded image that was on its way comes before `.cancelled`, and nothing after it")
    func afterADegradedImage() {
        var pipeline = TablePipeline()
        let id = pipeline.submit(1, .opportunistic, hasPreview: true)
        pipeline.finish(Rendition(1, .preview))
        pipeline.cancel(id)
        pipeline.finish(Rendition(1))
        #expect(pipeline.received(id) == [.degraded(side: 20), .cancelled])
    }

    @Test("cancelling what is over or never was does nothing")
    func overOrUnknown() {
        var pipeline = TablePipeline()
        let finished = pipeline.submit(1)
        pipeline.finish(Rendition(1))
        pipeline.cancel(finished)
        #expect(pipeline.received(finished) == [.final(.high)])
        pipeline.cancel(finished)
        pipeline.cancel(ImageRequestID(rawValue: 4711))
        #expect(pipeline.received(finished) == [])
        #expect(pipeline.statistics.requests.cancelled == 0)
    }

    @Test("identifiers are never used twice, those of refused requests included")
    func identifiers() {
        var pipeline = TablePipeline()
        var identifiers: [ImageRequestID] = []
        for asset in 0..<10 {
            identifiers.append(pipeline.submit(asset))
            identifiers.append(pipeline.driver.apply { $0.refuse(at: $1) })
            pipeline.cancel(identifiers[2 * asset])
            _ = pipeline.received(identifiers[2 * asset])
        }
        #expect(Set(identifiers).count == 20)
        #expect(identifiers == identifiers.sorted())
        #expect(pipeline.statistics.requests.failed == 10)
        #expect(pipeline.statistics.liveRequestCount == 0)
    }

    @Test("closing cancels all that live, stops all that runs, and cancels all that comes later")
    func closing() {
        // Given
        var pipeline = TablePipeline(workers: 2)
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(8), Rendition(9)], in: window)
        let ids = (1...4).map { pipeline.submit($0) }
        // When
        pipeline.driver.apply { $0.close(at: $1) }
        let late = pipeline.submit(5)
        pipeline.startCaching([Rendition(7)], in: window)
        // Then
        for id in ids + [late] { #expect(pipeline.received(id) == [.cancelled]) }
        #expect(pipeline.driver.runningJobs.allSatisfy { $0.token.isCancelled })
        for rendition in pipeline.running { pipeline.finish(rendition, with: .stopped) }
        #expect(pipeline.running == [])
        #expect(pipeline.statistics.queuedRenderCount == 0)
        #expect(pipeline.statistics.budgetUsedByteCount == 0)
    }
}
