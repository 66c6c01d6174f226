import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// Decodes that cannot be stopped once they run.
@Suite struct PipelineUnstoppableTests {
    private typealias Rendition = TablePipeline.Rendition

    @Test("one worker is kept from them, and work behind them in the queue passes by")
    func bound() {
        // Given
        var pipeline = TablePipeline(workers: 3)
        for asset in 1...4 { _ = pipeline.submit(asset, isStoppable: false) }
        #expect(pipeline.running == [Rendition(1), Rendition(2)])
        // When
        _ = pipeline.submit(5)
        _ = pipeline.submit(6)
        // Then
        #expect(pipeline.running == [Rendition(1), Rendition(2), Rendition(5)])
        pipeline.finish(Rendition(5))
        #expect(pipeline.running == [Rendition(1), Rendition(2), Rendition(6)])
        pipeline.finish(Rendition(1))
        #expect(pipeline.running == [Rendition(3), Rendition(2), Rendition(6)])
        pipeline.finishAll()
        #expect(pipeline.statistics.renders.finished == 6)
    }

    @Test("a single worker does them one after another")
    func singleWorker() {
        var pipeline = TablePipeline(workers: 1)
        let ids = (1...2).map { pipeline.submit($0, isStoppable: false) }
        pipeline.finishAll()
        for id in ids { #expect(pipeline.received(id) == [.final(.high)]) }
    }

    @Test("their previews are not among them")
    func previews() {
        var pipeline = TablePipeline(workers: 2)
        _ = pipeline.submit(1, isStoppable: false)
        _ = pipeline.submit(2, .opportunistic, hasPreview: true, isStoppable: false)
        #expect(pipeline.running == [Rendition(1), Rendition(2, .preview)])
        pipeline.finish(Rendition(2, .preview))
        #expect(pipeline.running == [Rendition(1)])
    }

    @Test("visible work does not preempt them, for they would free no worker; it preempts the others")
    func preemption() {
        var pipeline = TablePipeline(workers: 2)
        _ = pipeline.submit(1, priority: .prefetch)
        _ = pipeline.submit(2, priority: .prefetch, isStoppable: false)
        _ = pipeline.submit(3)
        #expect(pipeline.stopped == [Rendition(1)])
        _ = pipeline.submit(4)
        #expect(pipeline.stopped == [Rendition(1)])
    }

    @Test("a prefetch does not make way for one that may not start")
    func futilePreemption() {
        var pipeline = TablePipeline(workers: 2)
        let first = pipeline.submit(1, isStoppable: false)
        _ = pipeline.submit(2, priority: .prefetch)
        let second = pipeline.submit(3, isStoppable: false)
        #expect(pipeline.stopped == [])
        // Cancelled, it gives up its place among them.
        pipeline.cancel(first)
        #expect(pipeline.stopped == [Rendition(1)])
        #expect(pipeline.running == [Rendition(3), Rendition(2)])
        pipeline.finish(Rendition(3))
        #expect(pipeline.received(second) == [.final(.high)])
    }
}
