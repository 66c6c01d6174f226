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

    @Test("bytes that came over a network count as long as the decoder holds them, and no longer")
    func fetchedBytes() {
        // Given: a cache that fills the budget
        var pipeline = TablePipeline(workers: 1, budget: 1900)
        let cached = pipeline.submit(2, bytes: 400)
        pipeline.finish(Rendition(2), bytes: 400)
        #expect(pipeline.received(cached) == [.final(.high)])
        let id = pipeline.submit(1, isStoppable: false, remoteBytes: 500)
        pipeline.finishFetch(1)
        #expect(pipeline.running == [Rendition(1)] && pipeline.statistics.budgetUsedByteCount == 1900)
        // When
        pipeline.cancel(id)
        // Then
        #expect(Self.abandoned(pipeline) == [Rendition(1)] && pipeline.driver.fetchedByteCount == 500)
        #expect(pipeline.statistics.budgetUsedByteCount == 1900 && pipeline.cached(2...2) == [2])
        pipeline.driver.finishAbandoned(0)
        #expect(pipeline.statistics.budgetUsedByteCount == 400 && pipeline.driver.fetchedByteCount == 0)
    }

    @Test("bytes that an abandoned decoder holds serve another request, and are dropped after both")
    func sharedBytes() {
        var pipeline = TablePipeline(workers: 1, keepsRenditions: false)
        let id = pipeline.submit(1, isStoppable: false, remoteBytes: 500)
        pipeline.finishFetch(1)
        pipeline.cancel(id)
        let other = pipeline.submit(1, side: 200, isStoppable: false, remoteBytes: 500)
        #expect(pipeline.fetching == [] && pipeline.running == [Rendition(1, side: 200)])
        pipeline.driver.finishAbandoned(0)
        #expect(pipeline.driver.fetchedByteCount == 500)
        pipeline.finish(Rendition(1, side: 200))
        #expect(pipeline.received(other) == [.final(.high)] && pipeline.driver.fetchedByteCount == 0)
        #expect(pipeline.statistics.budgetUsedByteCount == 0)
    }

    @Test("it is abandoned where memory is short as well, and where it exceeds the budget alone")
    func shortMemory() {
        var pipeline = TablePipeline(workers: 1, budget: 800)
        let large = pipeline.submit(1, isStoppable: false)
        #expect(pipeline.statistics.budgetUsedByteCount == 1000)
        pipeline.cancel(large)
        #expect(Self.abandoned(pipeline) == [Rendition(1)])
        pipeline.driver.finishAbandoned(0)
        let small = pipeline.submit(2, bytes: 400, isStoppable: false)
        pipeline.driver.apply { $0.setMemoryPressure(.critical, from: .host, at: $1) }
        pipeline.cancel(small)
        #expect(Self.abandoned(pipeline) == [Rendition(2)])
        // Beside it nothing begins until there is room, and then the worker is free.
        let next = pipeline.submit(3, bytes: 400)
        #expect(pipeline.running == [])
        pipeline.driver.apply { $0.setMemoryPressure(.none, from: .host, at: $1) }
        #expect(pipeline.running == [Rendition(3)])
        pipeline.finish(Rendition(3), bytes: 200)
        #expect(pipeline.received(next) == [.final(.high)])
    }

    @Test("one that was wanted again when its turn came is abandoned later: once it is not, or takes too long")
    func anotherTurn() {
        for isCancelled in [true, false] {
            var pipeline = TablePipeline(workers: 1)
            pipeline.cancel(pipeline.submit(1, isStoppable: false))
            pipeline.cancel(pipeline.submit(2, isStoppable: false))
            let again = pipeline.submit(2, isStoppable: false)
            pipeline.driver.finishAbandoned(0)
            #expect(pipeline.running == [Rendition(2)] && Self.abandoned(pipeline) == [])
            if isCancelled {
                pipeline.cancel(again)
                #expect(pipeline.received(again) == [.cancelled])
            } else {
                pipeline.driver.advance(byMilliseconds: 31_000)
                #expect(pipeline.received(again) == [.failed("timeLimitExceeded")])
            }
            #expect(pipeline.running == [] && Self.abandoned(pipeline) == [Rendition(2)])
            #expect(pipeline.stopped == [Rendition(1), Rendition(2)])
        }
    }

    @Test("who joins one that takes too long has a render of its own once that one is abandoned")
    func joining() {
        // Given: one that takes too long and keeps its worker, because enough are abandoned
        var pipeline = TablePipeline(workers: 1)
        pipeline.cancel(pipeline.submit(1, isStoppable: false))
        let slow = pipeline.submit(2, isStoppable: false)
        pipeline.driver.advance(byMilliseconds: 31_000)
        #expect(pipeline.received(slow) == [.failed("timeLimitExceeded")])
        let joined = pipeline.submit(2, isStoppable: false)
        #expect(pipeline.started == [Rendition(1), Rendition(2)])
        // When
        pipeline.driver.finishAbandoned(0)
        // Then
        #expect(pipeline.received(joined) == [] && Self.abandoned(pipeline) == [Rendition(2)])
        #expect(pipeline.running == [Rendition(2)] && pipeline.started.count == 3)
        // It may take the whole time.
        pipeline.driver.advance(byMilliseconds: 29_000)
        pipeline.driver.finishAbandoned(0)
        #expect(pipeline.running == [Rendition(2)])
        pipeline.finish(Rendition(2))
        #expect(pipeline.received(joined) == [.final(.high)])
        #expect(pipeline.statistics.renders.failed == 1 && pipeline.statistics.renders.finished == 1)
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

    @Test("a closed pipeline abandons what keeps its live requests from a worker")
    func waitingInClosed() {
        var pipeline = TablePipeline(workers: 1)
        let slow = pipeline.submit(1, isStoppable: false)
        let waiting = pipeline.submit(2)
        _ = pipeline.driver.apply { $0.closeToNewRequests(atMost: 100, at: $1) }
        pipeline.driver.advance(byMilliseconds: 31_000)
        #expect(pipeline.received(slow) == [.failed("timeLimitExceeded")])
        #expect(Self.abandoned(pipeline) == [Rendition(1)] && pipeline.running == [Rendition(2)])
        pipeline.finish(Rendition(2))
        #expect(pipeline.received(waiting) == [.final(.high)] && !pipeline.driver.areWorkersDismissed)
        pipeline.driver.finishAbandoned(0)
        #expect(pipeline.driver.isIdle)
    }
}
