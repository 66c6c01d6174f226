import SimulationKit
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// Semantics.md, "Caching windows".
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

    @Test("a window has one entry for an asset in one form, whichever picture of the asset starts or stops it")
    func editedAsset() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        let (before, after) = (Rendition(1), Rendition(1, contentVersion: 2))
        // Started as it was before an edit, and stopped as it is after it.
        pipeline.startCaching([before, Rendition(2)], in: window)
        pipeline.stopCaching([after], in: window)
        #expect(pipeline.stopped == [before])
        #expect(pipeline.driver.state.cachingWindow(window)?.imageCount == 1)
        pipeline.finish(before, with: .stopped)
        pipeline.finish(Rendition(2))
        // Started again after an edit: the picture from before it makes way, and one stop ends both.
        pipeline.startCaching([before], in: window)
        pipeline.startCaching([after], in: window)
        #expect(pipeline.stopped == [before, before])
        #expect(pipeline.driver.state.cachingWindow(window)?.imageCount == 2)
        pipeline.finish(before, with: .stopped)
        pipeline.finish(after)
        #expect(pipeline.driver.state.cachingWindow(window)?.readyCount == 2)
        pipeline.stopCaching([before], in: window)
        // Another form of the asset is another entry.
        pipeline.stopCaching([Rendition(2, side: 50, contentVersion: 2)], in: window)
        #expect(pipeline.driver.state.cachingWindow(window)?.imageCount == 1)
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
        #expect(pipeline.driver.state.cachingWindow(window)!.allowsHighQuality)
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

    @Test("a long window is given up in pieces, what was started first before the rest")
    func stoppingInPieces() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.startCaching((1...7).map { Rendition($0) }, in: window)
        #expect(pipeline.driver.apply { $0.stopCachingAll(in: window, atMost: 3, at: $1) } == false)
        #expect(pipeline.stopped == [Rendition(1)])
        #expect(pipeline.statistics.queuedRenderCount == 4)
        #expect(pipeline.driver.apply { $0.stopCachingAll(in: window, atMost: 3, at: $1) } == false)
        #expect(pipeline.driver.apply { $0.stopCachingAll(in: window, atMost: 3, at: $1) })
        #expect(pipeline.statistics.queuedRenderCount == 0)
        pipeline.finish(Rendition(1), with: .stopped)
        #expect(pipeline.running == [])
    }

    @Test("the switch changes a long window in pieces, and turned back in the middle changes those back")
    func switchingInPieces() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.startCaching((1...5).map { Rendition($0) }, in: window)
        #expect(
            pipeline.driver.apply { $0.setAllowsHighQuality(false, in: window, atMost: 2, at: $1) } == false)
        pipeline.startCaching([Rendition(6)], in: window)
        #expect(pipeline.driver.apply { $0.adjustQuality(in: window, atMost: 2, at: $1) } == false)
        // 1 to 4 and 6 are wanted cheaply now.
        #expect(pipeline.driver.apply { $0.setAllowsHighQuality(true, in: window, atMost: 4, at: $1) } == false)
        #expect(pipeline.driver.apply { $0.adjustQuality(in: window, at: $1) })
        pipeline.finish(Rendition(1), with: .stopped)
        pipeline.finishAll()
        #expect(pipeline.started.allSatisfy { $0.kind == .high })
        #expect(pipeline.driver.state.cachingWindow(window)?.readyCount == 6)
    }

    @Test("a window tells what it tracks, and how much of it is ready")
    func tracking() {
        var pipeline = TablePipeline()
        let (one, other) = (pipeline.addWindow(), pipeline.addWindow())
        pipeline.startCaching((1...4).map { Rendition($0) }, in: one)
        pipeline.finish(Rendition(1))
        pipeline.startCaching([Rendition(1), Rendition(2)], in: other)
        pipeline.finish(Rendition(2))
        let byteCount = pipeline.statistics.cachedByteCount
        let windows = pipeline.driver.state.cachingWindows
        #expect(windows.map(\.imageCount) == [4, 2])
        #expect(windows.map(\.readyCount) == [2, 2])
        #expect(windows.map(\.pendingCount) == [2, 0])
        #expect(windows.map(\.readyByteCount) == [byteCount, byteCount])
        pipeline.driver.apply { $0.setBudget(0, at: $1) }
        #expect(pipeline.driver.state.cachingWindows.map(\.readyCount) == [0, 0])
        pipeline.stopCaching([Rendition(1), Rendition(3)], in: one)
        #expect(pipeline.driver.state.cachingWindows.map(\.pendingCount) == [2, 2])
    }

    @Test("what several windows hold is as urgent as to the one that wants it most, for as long as that holds it")
    func mostUrgentWindow() {
        var pipeline = TablePipeline()
        let (one, other) = (pipeline.addWindow(), pipeline.addWindow())
        pipeline.startCaching([1, 2, 3, 4].map { Rendition($0) }, in: one)
        // In this window 4 is the first, in the other it was the last.
        pipeline.startCaching([Rendition(4)], in: other)
        pipeline.finish(Rendition(1))
        pipeline.finish(Rendition(4))
        #expect(pipeline.started.map(\.asset) == [1, 4, 2])
        pipeline.startCaching([Rendition(3)], in: other)
        pipeline.stopCaching([Rendition(3)], in: other)
        pipeline.startCaching([Rendition(5)], in: one)
        pipeline.finishAll()
        #expect(pipeline.started.map(\.asset) == [1, 4, 2, 5, 3])
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
