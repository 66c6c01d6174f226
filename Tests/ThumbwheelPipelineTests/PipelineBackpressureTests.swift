import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

/// What becomes of more requests than may wait.
@Suite struct PipelineBackpressureTests {
    private typealias Rendition = TablePipeline.Rendition

    private let overloaded = [TablePipeline.Received.failed("overloaded")]

    @Test("beyond its bound a priority's oldest request makes way", arguments: [RequestPriority.prefetch, .background])
    func shedding(priority: RequestPriority) {
        // Given
        var pipeline = TablePipeline(queueLimits: QueueLimits(prefetch: 3, background: 3))
        _ = pipeline.submit(0)
        let ids = (1...3).map { pipeline.submit($0, priority: priority) }
        // When
        let more = (4...5).map { pipeline.submit($0, priority: priority) }
        // Then
        #expect(ids.map { pipeline.received($0) } == [overloaded, overloaded, []])
        pipeline.finishAll()
        #expect(pipeline.started.map(\.asset) == [0, 3, 4, 5])
        for id in more { #expect(pipeline.received(id) == [.final(.high)]) }
        #expect(pipeline.statistics.requests.shed == 2)
        #expect(pipeline.statistics.requests.failed == 0)
        #expect(pipeline.statistics.liveRequestCount == 0)
    }

    @Test("the oldest by age, whatever was moved, joined or cancelled meanwhile")
    func age() {
        var pipeline = TablePipeline(queueLimits: QueueLimits(prefetch: 3))
        _ = pipeline.submit(0)
        let first = pipeline.submit(1, priority: .prefetch)
        let second = pipeline.submit(2, priority: .prefetch)
        let third = pipeline.submit(3, priority: .prefetch)
        pipeline.cancel(first)
        pipeline.setPriority(.prefetch, urgency: -7, of: second)
        pipeline.setPriority(.userInitiated, of: third)
        // Three of them now, the second the oldest.
        let joined = pipeline.submit(2, priority: .prefetch)
        _ = pipeline.submit(4, priority: .prefetch)
        #expect(pipeline.received(second) == [])
        _ = pipeline.submit(5, priority: .prefetch)
        #expect(pipeline.received(second) == overloaded)
        // Back among them it counts as new.
        pipeline.setPriority(.prefetch, of: third)
        #expect(pipeline.received(joined) == overloaded)
        #expect(pipeline.received(third) == [])
    }

    @Test("visible requests are never made to end, nor turned away")
    func visible() {
        var pipeline = TablePipeline(queueLimits: QueueLimits(userInitiated: 1, prefetch: 1))
        let ids = (1...20).map { pipeline.submit($0) }
        #expect(pipeline.statistics.requests.shed == 0)
        pipeline.finishAll()
        for id in ids { #expect(pipeline.received(id) == [.final(.high)]) }
    }

    @Test("what is being rendered is finished, though it is the oldest")
    func running() {
        var pipeline = TablePipeline(workers: 2, queueLimits: QueueLimits(prefetch: 3))
        let running = (1...2).map { pipeline.submit($0, priority: .prefetch) }
        let waiting = (3...9).map { pipeline.submit($0, priority: .prefetch) }
        #expect(pipeline.statistics.requests.shed == 6)
        pipeline.finishAll()
        for id in running + [waiting.last!] { #expect(pipeline.received(id) == [.final(.high)]) }
    }

    @Test("a service may have new requests turned away instead, visible ones too")
    func rejecting() {
        var pipeline = TablePipeline(
            queueLimits: QueueLimits(userInitiated: 2, prefetch: 1, background: 0, overflow: .rejectsNewest))
        let visible = (1...3).map { pipeline.submit($0) }
        #expect(visible.map { pipeline.received($0) } == [[], [], overloaded])
        #expect(pipeline.received(pipeline.submit(4, priority: .background)) == overloaded)
        let prefetch = pipeline.submit(5, priority: .prefetch)
        #expect(pipeline.received(pipeline.submit(6, priority: .prefetch)) == overloaded)
        pipeline.finishAll()
        #expect(pipeline.received(prefetch) == [.final(.high)])
        // There is room again; and what is at hand needs none.
        #expect(pipeline.received(pipeline.submit(7)) == [])
        #expect(pipeline.received(pipeline.submit(8)) == [])
        #expect(pipeline.received(pipeline.submit(1)) == [.cached(.high)])
        #expect(pipeline.statistics.requests.shed == 3)
    }

    @Test("without any room for a priority its requests end at once, and those moved to it")
    func noRoom() {
        var pipeline = TablePipeline(queueLimits: QueueLimits(prefetch: .min, background: 0))
        #expect(pipeline.received(pipeline.submit(1, priority: .prefetch)) == overloaded)
        let id = pipeline.submit(2)
        pipeline.setPriority(.background, of: id)
        #expect(pipeline.received(id) == overloaded)
        #expect(pipeline.stopped == [Rendition(2)])
    }

    @Test("waiting requests take no more memory than they may: the oldest of the lowest priority makes way")
    func memory() {
        let bound = 5 * PipelineState.waitingByteCount
        var pipeline = TablePipeline(queueLimits: QueueLimits(byteCount: bound))
        _ = pipeline.submit(0)
        let background = (1...2).map { pipeline.submit($0, priority: .background) }
        let prefetch = pipeline.submit(3, priority: .prefetch)
        let visible = (4...7).map { pipeline.submit($0) }
        #expect(background.map { pipeline.received($0) } == [overloaded, overloaded])
        #expect(pipeline.received(prefetch) == overloaded)
        #expect(visible.map { pipeline.received($0) } == [[], [], [], []])
        // Nothing of its priority, or a lower one, is left to make way.
        #expect(pipeline.received(pipeline.submit(8, priority: .prefetch)) == overloaded)
        // Of visible ones, what runs is finished, and the oldest that waits makes way.
        let last = pipeline.submit(9)
        #expect(pipeline.received(visible[0]) == overloaded)
        pipeline.finishAll()
        #expect(pipeline.started.map(\.asset) == [0, 5, 6, 7, 9])
        #expect(pipeline.received(last) == [.final(.high)])
        #expect(pipeline.received(pipeline.submit(10, priority: .background)) == [])
    }

    @Test("a request with a preview to wait for takes the room of two, and gives it back")
    func memoryOfPreviews() {
        let bound = 4 * PipelineState.waitingByteCount
        var pipeline = TablePipeline(queueLimits: QueueLimits(byteCount: bound, overflow: .rejectsNewest))
        let ids = (1...3).map { pipeline.submit($0, .opportunistic, hasPreview: true) }
        #expect(ids.map { pipeline.received($0) } == [[], [], overloaded])
        pipeline.cancel(ids[0])
        #expect(pipeline.received(pipeline.submit(4)) == [])
        #expect(pipeline.received(pipeline.submit(5)) == [])
        #expect(pipeline.received(pipeline.submit(6)) == overloaded)
        // Changed priorities are no new requests.
        pipeline.setPriority(.background, of: ids[1])
        #expect(pipeline.received(ids[1]) == [])
    }

    @Test("nothing is shed for a request that would not fit even then")
    func inVain() {
        let bound = 3 * PipelineState.waitingByteCount
        var pipeline = TablePipeline(queueLimits: QueueLimits(byteCount: bound))
        _ = (0...1).map { pipeline.submit($0) }
        let background = pipeline.submit(2, priority: .background)
        let large = pipeline.submit(3, .opportunistic, priority: .prefetch, hasPreview: true)
        #expect(pipeline.received(large) == overloaded)
        #expect(pipeline.received(background) == [])
    }

    @Test(
        "without memory for a single request none waits",
        arguments: [QueueLimits.Overflow.shedsOldest, .rejectsNewest])
    func noMemory(overflow: QueueLimits.Overflow) {
        var pipeline = TablePipeline(queueLimits: QueueLimits(byteCount: 0, overflow: overflow))
        #expect(pipeline.received(pipeline.submit(1)) == overloaded)
        #expect(pipeline.statistics.liveRequestCount == 0)
    }
}
