import SimulationKit
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// Which render runs when: the design's "How a grid stays filled".
@Suite struct PipelineOrderTests {
    typealias Rendition = TablePipeline.Rendition

    @Test("every visible cell gets its preview before any gets its final image")
    func previewsFirst() {
        var pipeline = TablePipeline()
        for asset in 1...3 { _ = pipeline.submit(asset, .opportunistic, hasPreview: true) }
        pipeline.finishAll()
        #expect(
            pipeline.started == [
                Rendition(1, .preview), Rendition(2, .preview), Rendition(3, .preview), Rendition(1), Rendition(2),
                Rendition(3),
            ])
    }

    @Test("less urgency first, then the newest or the oldest, as configured", arguments: [true, false])
    func urgencyAndAge(servesNewestFirst: Bool) {
        var pipeline = TablePipeline(servesNewestFirst: servesNewestFirst)
        _ = pipeline.submit(0)
        for (asset, urgency) in [(1, 2.0), (2, 1), (3, 2), (4, .nan), (5, 1)] {
            _ = pipeline.submit(asset, urgency: urgency)
        }
        pipeline.finishAll()
        #expect(pipeline.started.map(\.asset) == (servesNewestFirst ? [0, 5, 2, 3, 1, 4] : [0, 2, 5, 1, 3, 4]))
    }

    @Test(
        "of visible requests equally urgent the cheaper goes first, and of those about as cheap the newest or the oldest"
    )
    func cost() {
        var pipeline = TablePipeline(servesNewestFirst: true)
        _ = pipeline.submit(0)
        for (asset, milliseconds) in [(1, 30.0), (2, 9), (3, 11), (4, 120), (5, 0.5)] {
            _ = pipeline.submit(asset, milliseconds: milliseconds)
        }
        pipeline.finishAll()
        #expect(pipeline.started.map(\.asset) == [0, 5, 3, 2, 1, 4])
    }

    @Test("urgency outweighs cost: four for each doubling")
    func urgencyAgainstCost() {
        var pipeline = TablePipeline()
        _ = pipeline.submit(0)
        for (asset, urgency, milliseconds) in [(1, 0.0, 8.0), (2, -3, 16), (3, -5, 16), (4, .infinity, 1)] {
            _ = pipeline.submit(asset, urgency: urgency, milliseconds: milliseconds)
        }
        pipeline.finishAll()
        #expect(pipeline.started.map(\.asset) == [0, 3, 1, 2, 4])
    }

    @Test("cost does not count among previews, among prefetches, nor where it is not to", arguments: 0..<3)
    func noCost(way: Int) {
        var pipeline = TablePipeline(weighsCost: way != 2)
        _ = pipeline.submit(0)
        for asset in 1...2 {
            let milliseconds = asset == 1 ? 100.0 : 1
            switch way {
            case 0: _ = pipeline.submit(asset, .opportunistic, hasPreview: true, milliseconds: milliseconds)
            case 1: _ = pipeline.submit(asset, priority: .prefetch, milliseconds: milliseconds)
            default: _ = pipeline.submit(asset, milliseconds: milliseconds)
            }
        }
        pipeline.finishAll()
        #expect(pipeline.started.prefix(3).map(\.asset) == [0, 1, 2])
    }

    @Test("visible work preempts a prefetch, which is queued again and done in the end")
    func preemption() {
        // Given
        var pipeline = TablePipeline(workers: 2)
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1), Rendition(2)], in: window)
        #expect(pipeline.running == [Rendition(1), Rendition(2)])
        // When
        let visible = pipeline.submit(3)
        // Then the one with the least progress makes way.
        #expect(pipeline.stopped == [Rendition(2)])
        pipeline.finish(Rendition(2), with: .stopped)
        #expect(pipeline.running == [Rendition(1), Rendition(3)])
        #expect(pipeline.statistics.renders.preempted == 1)
        pipeline.finish(Rendition(3))
        #expect(pipeline.received(visible) == [.final(.high)])
        #expect(pipeline.running == [Rendition(1), Rendition(2)])
        pipeline.finishAll()
        #expect(pipeline.statistics.renders.finished == 3)
        #expect(pipeline.driver.state.statistics.cachedByteCount == 3000)
    }

    @Test("a prefetch that a visible request joins is not preempted, unless that request leaves")
    func joinedPrefetch() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1)], in: window)
        let joined = pipeline.submit(1)
        _ = pipeline.submit(2)
        #expect(pipeline.stopped == [])
        pipeline.cancel(joined)
        #expect(pipeline.stopped == [Rendition(1)])
    }

    @Test("a shared job has the rank of its most urgent subscriber, and loses it with it")
    func sharedRank() {
        var pipeline = TablePipeline()
        _ = pipeline.submit(0)
        let background = pipeline.submit(1, priority: .background)
        _ = pipeline.submit(2, priority: .prefetch)
        let visible = pipeline.submit(1)
        _ = pipeline.submit(3, urgency: 5)
        #expect(pipeline.statistics.requests.coalesced == 1)
        pipeline.cancel(visible)
        pipeline.finishAll()
        #expect(pipeline.started.map(\.asset) == [0, 3, 2, 1])
        #expect(pipeline.received(background) == [.final(.high)])
        #expect(pipeline.received(visible) == [.cancelled])
    }

    @Test("leaving changes no rank but that of who decided it", arguments: 0..<3)
    func leaving(leaver: Int) {
        var pipeline = TablePipeline()
        _ = pipeline.submit(0)
        let ids = [3.0, 1, 2].map { pipeline.submit(1, urgency: $0) }
        for (asset, urgency) in [(2, 0.5), (3, 1.5), (4, 2.5)] { _ = pipeline.submit(asset, urgency: urgency) }
        pipeline.cancel(ids[leaver])
        pipeline.finishAll()
        #expect(pipeline.started.map(\.asset) == (leaver == 1 ? [0, 2, 3, 1, 4] : [0, 2, 1, 3, 4]))
    }

    @Test("a request moved up goes first, whether it waits or runs")
    func moving() {
        var pipeline = TablePipeline()
        let running = pipeline.submit(0, priority: .prefetch)
        let waiting = pipeline.submit(1, priority: .background)
        _ = pipeline.submit(2, priority: .prefetch)
        pipeline.setPriority(.userInitiated, of: running)
        pipeline.setPriority(.userInitiated, of: waiting)
        #expect(pipeline.stopped == [])
        pipeline.setPriority(.background, of: running)
        #expect(pipeline.stopped == [Rendition(0)])
        pipeline.finish(Rendition(0), with: .stopped)
        pipeline.finishAll()
        #expect(pipeline.started.map(\.asset) == [0, 1, 2, 0])
    }

    @Test("the records account for every run of every render, the wasted ones included")
    func records() {
        var pipeline = TablePipeline()
        _ = pipeline.submit(1, priority: .prefetch)
        _ = pipeline.submit(2)
        pipeline.driver.now = pipeline.driver.now.advanced(byMilliseconds: 3)
        pipeline.finish(Rendition(1), with: .stopped)
        pipeline.finish(Rendition(2), with: TablePipeline.truncated)
        pipeline.finish(Rendition(1))
        let records = pipeline.driver.apply { state, _ in state.takeRenderRecords() }
        #expect(records.map { Int($0.asset.low) } == [1, 2, 1])
        #expect(records.map(\.end) == [.stopped, .failed, .finished])
        #expect(records.map(\.renderNumber) == [1, 2, 3])
        #expect(records[0].finish.milliseconds(since: records[0].start) == 3)
        #expect(pipeline.driver.apply { state, _ in state.takeRenderRecords() }.isEmpty)
    }
}
