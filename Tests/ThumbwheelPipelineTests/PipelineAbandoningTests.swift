import SimulationKit
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelPipeline

/// Renders that are cancelled while a decoder runs that cannot be stopped.
@Suite struct PipelineAbandoningTests {
    private typealias Rendition = TablePipeline.Rendition

    private static func abandoned(_ pipeline: TablePipeline) -> [Rendition] {
        pipeline.driver.abandoned.map { Rendition($0.key) }
    }

    @Test("the worker is free at once, and the memory when the decoder returns")
    func worker() {
        // Given
        var pipeline = TablePipeline(workers: 1, budget: 1500, keepsRenditions: false)
        let first = pipeline.submit(1, isStoppable: false)
        let small = pipeline.submit(2, bytes: 400)
        let large = pipeline.submit(3)
        #expect(pipeline.running == [Rendition(1)])
        // When
        pipeline.cancel(first)
        // Then
        #expect(pipeline.received(first) == [.cancelled])
        #expect(pipeline.stopped == [Rendition(1)] && Self.abandoned(pipeline) == [Rendition(1)])
        #expect(pipeline.running == [Rendition(2)])
        #expect(pipeline.statistics.budgetUsedByteCount == 1400 && pipeline.statistics.runningRenderCount == 1)
        pipeline.finish(Rendition(2), bytes: 200)
        #expect(pipeline.received(small) == [.final(.high)])
        // There is no room for the third one beside the decoder.
        #expect(pipeline.running == [] && pipeline.statistics.budgetUsedByteCount == 1000)
        pipeline.driver.finishAbandoned(0)
        #expect(pipeline.running == [Rendition(3)])
        pipeline.finish(Rendition(3))
        #expect(pipeline.received(large) == [.final(.high)] && pipeline.statistics.budgetUsedByteCount == 0)
    }

    @Test("no more of them are abandoned at once than there are workers")
    func bound() {
        var pipeline = TablePipeline(workers: 1)
        let ids = (1...3).map { pipeline.submit($0, isStoppable: false) }
        pipeline.cancel(ids[0])
        #expect(pipeline.running == [Rendition(2)])
        // The processors have enough to do: this one keeps its worker.
        pipeline.cancel(ids[1])
        #expect(pipeline.running == [Rendition(2)] && Self.abandoned(pipeline) == [Rendition(1)])
        // It is abandoned as soon as the first one has ended.
        pipeline.driver.finishAbandoned(0)
        #expect(pipeline.running == [Rendition(3)] && Self.abandoned(pipeline) == [Rendition(2)])
        // One that ends by itself before its turn comes is not abandoned any more.
        pipeline.cancel(ids[2])
        pipeline.finish(Rendition(3), with: .stopped)
        pipeline.driver.finishAbandoned(0)
        #expect(pipeline.running == [] && Self.abandoned(pipeline) == [])
        #expect(pipeline.statistics.budgetUsedByteCount == 0 && pipeline.statistics.renders.stopped == 3)
    }

    @Test("a rendition that is wanted again is made by a job of its own, beside the abandoned one")
    func again() {
        var pipeline = TablePipeline(workers: 1)
        pipeline.cancel(pipeline.submit(1, isStoppable: false))
        let again = pipeline.submit(1, isStoppable: false)
        #expect(pipeline.running == [Rendition(1)] && Self.abandoned(pipeline) == [Rendition(1)])
        // The outcome of the abandoned one is of no use.
        pipeline.driver.finishAbandoned(0)
        #expect(pipeline.received(again) == [])
        pipeline.finish(Rendition(1))
        #expect(pipeline.received(again) == [.final(.high)])
    }

    @Test("bytes that came over a network count as long as the decoder holds them")
    func fetchedBytes() {
        var pipeline = TablePipeline(workers: 1)
        let id = pipeline.submit(1, isStoppable: false, remoteBytes: 500)
        pipeline.finishFetch(1)
        #expect(pipeline.running == [Rendition(1)])
        pipeline.cancel(id)
        #expect(Self.abandoned(pipeline) == [Rendition(1)] && pipeline.driver.fetchedByteCount == 0)
        #expect(pipeline.statistics.budgetUsedByteCount == 1500)
        pipeline.driver.finishAbandoned(0)
        #expect(pipeline.statistics.budgetUsedByteCount == 0)
    }

    @Test("one that takes longer than the time limit is abandoned too, and fails")
    func timeLimit() {
        var pipeline = TablePipeline(workers: 1)
        let slow = pipeline.submit(1, isStoppable: false)
        let next = pipeline.submit(2)
        pipeline.driver.advance(byMilliseconds: 31_000)
        #expect(pipeline.received(slow) == [.failed("timeLimitExceeded")])
        #expect(Self.abandoned(pipeline) == [Rendition(1)] && pipeline.running == [Rendition(2)])
        pipeline.finish(Rendition(2))
        #expect(pipeline.received(next) == [.final(.high)])
        pipeline.driver.finishAbandoned(0)
        #expect(pipeline.statistics.renders.failed == 1)
    }

    @Test("what can be stopped keeps its worker until it has stopped, and in a closed pipeline so does everything")
    func others() {
        var pipeline = TablePipeline(workers: 2)
        let stoppable = pipeline.submit(1)
        _ = pipeline.submit(2, isStoppable: false)
        pipeline.cancel(stoppable)
        _ = pipeline.driver.apply { $0.closeToNewRequests(atMost: 100, at: $1) }
        pipeline.driver.apply { $0.cancelAll(at: $1) }
        #expect(pipeline.running == [Rendition(1), Rendition(2)] && Self.abandoned(pipeline) == [])
        pipeline.finish(Rendition(1), with: .stopped)
        #expect(!pipeline.driver.areWorkersDismissed)
        pipeline.finish(Rendition(2), with: .stopped)
        #expect(pipeline.driver.isIdle)
    }

    @Test("a closed pipeline is done only when the last abandoned one is")
    func closing() {
        var pipeline = TablePipeline(workers: 1)
        pipeline.cancel(pipeline.submit(1, isStoppable: false))
        _ = pipeline.driver.apply { $0.closeToNewRequests(atMost: 100, at: $1) }
        #expect(!pipeline.driver.areWorkersDismissed)
        pipeline.driver.finishAbandoned(0)
        #expect(pipeline.driver.isIdle)
    }
}
