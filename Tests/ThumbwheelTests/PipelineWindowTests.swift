import Testing
import Thumbwheel

/// Rows 153 and 154.
@Suite struct PipelineWindowTests {
    typealias Rendition = TablePipeline.Rendition

    @Test("starting twice is starting once, and one stop ends it")
    func setSemantics() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1), Rendition(2)], in: window)
        pipeline.startCaching([Rendition(1), Rendition(2), Rendition(2)], in: window)
        #expect(pipeline.statistics.queuedRenderCount == 1)
        pipeline.stopCaching([Rendition(1), Rendition(2), Rendition(3)], in: window)
        #expect(pipeline.statistics.queuedRenderCount == 0)
        #expect(pipeline.stopped == [Rendition(1)])
        pipeline.finish(Rendition(1), with: .stopped)
        #expect(pipeline.running == [])
    }

    @Test("what two windows hold stays until both have let go")
    func twoWindows() {
        var pipeline = TablePipeline()
        let (one, other) = (pipeline.addWindow(), pipeline.addWindow())
        pipeline.startCaching([Rendition(1)], in: one)
        pipeline.startCaching([Rendition(1)], in: other)
        pipeline.stopCaching([Rendition(1)], in: one)
        #expect(pipeline.stopped == [])
        pipeline.driver.apply { $0.removeWindow(other, at: $1) }
        #expect(pipeline.stopped == [Rendition(1)])
    }

    @Test("starting again in another order moves what still waits")
    func reordering() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.startCaching((1...4).map { Rendition($0) }, in: window)
        pipeline.startCaching([4, 3, 2, 1].map { Rendition($0) }, in: window)
        pipeline.finishAll()
        #expect(pipeline.started.map(\.asset) == [1, 4, 3, 2])
    }

    @Test("with high quality off only cheap renditions are made, and with it on again the others")
    func qualitySwitch() {
        // Given
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1), Rendition(2)], in: window)
        pipeline.finish(Rendition(1))
        // When
        pipeline.driver.apply { $0.setAllowsHighQuality(false, in: window, at: $1) }
        pipeline.startCaching((1...3).map { Rendition($0) }, in: window)
        // Then: what is made stays, what runs makes way, and the rest is asked for cheaply.
        #expect(pipeline.stopped == [Rendition(2)])
        pipeline.finish(Rendition(2), with: .stopped)
        pipeline.finishAll()
        #expect(Array(pipeline.started.dropFirst(2)) == [Rendition(2, .fast), Rendition(3, .fast)])
        // When
        pipeline.driver.apply { $0.setAllowsHighQuality(true, in: window, at: $1) }
        pipeline.finishAll()
        // Then
        #expect(Array(pipeline.started.dropFirst(4)) == [Rendition(2), Rendition(3)])
        #expect(pipeline.driver.state.allowsHighQuality(in: window))
    }

    @Test("stopping after the switch stops what the switch started")
    func stoppingSwitchedEntries() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.driver.apply { $0.setAllowsHighQuality(false, in: window, at: $1) }
        pipeline.startCaching([Rendition(1), Rendition(2)], in: window)
        #expect(pipeline.running == [Rendition(1, .fast)])
        pipeline.stopCaching([Rendition(1), Rendition(2)], in: window)
        #expect(pipeline.stopped == [Rendition(1, .fast)])
        #expect(pipeline.statistics.queuedRenderCount == 0)
    }

    @Test("a prepared rendition ends a request at once, and one in the making is joined")
    func requestsMeetTheWindow() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1), Rendition(2)], in: window)
        pipeline.finish(Rendition(1))
        let ready = pipeline.submit(1)
        let pending = pipeline.submit(2)
        #expect(pipeline.received(ready) == [.cached(.high)])
        #expect(pipeline.received(pending) == [])
        pipeline.finish(Rendition(2))
        #expect(pipeline.received(pending) == [.final(.high)])
        #expect(pipeline.started.count == 2)
    }

    @Test("a photograph that cannot be rendered is not tried again and again")
    func failure() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1)], in: window)
        pipeline.finish(Rendition(1), with: TablePipeline.truncated)
        pipeline.startCaching([Rendition(1)], in: window)
        #expect(pipeline.started.count == 1)
        pipeline.driver.apply { $0.stopCachingAll(in: window, at: $1) }
        pipeline.startCaching([Rendition(1)], in: window)
        #expect(pipeline.started.count == 2)
    }
}
