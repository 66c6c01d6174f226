import SimulationKit
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

@Suite(.endsHangs) struct ForgettingTests {
    typealias Rendition = TablePipeline.Rendition

    @Test("whatever is kept of a forgotten asset goes at once, whoever holds it")
    func everythingGoes() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1), Rendition(2)], in: window)
        _ = pipeline.submit(1, side: 50)
        _ = pipeline.submit(1, encoding: .png)
        _ = pipeline.submit(1, .opportunistic, side: 70, hasPreview: true)
        pipeline.finishAll()
        #expect(pipeline.statistics.cachedByteCount == 6000)
        pipeline.forget(1)
        #expect(pipeline.statistics.cachedByteCount == 1000)
        #expect(pipeline.cached(1...2) == [2])
    }

    @Test("a render that runs goes on for those who wait, and is not kept")
    func running() {
        var pipeline = TablePipeline()
        let id = pipeline.submit(1)
        pipeline.forget(1)
        pipeline.finishAll()
        #expect(pipeline.received(id) == [.final(.high)])
        #expect(pipeline.statistics.cachedByteCount == 0)
        // Asked for again, it is made and kept again.
        _ = pipeline.submit(1)
        pipeline.finishAll()
        #expect(pipeline.cached(1...1) == [1])
    }

    @Test("what a window was still to have made of it is not made, and what is being made for nobody else is stopped")
    func windows() {
        var pipeline = TablePipeline()
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1), Rendition(2), Rendition(3)], in: window)
        #expect(pipeline.running == [Rendition(1)])
        pipeline.driver.apply { $0.forget([1, 2].map { AssetIdentifier(high: 0, low: $0) }, at: $1) }
        #expect(pipeline.stopped == [Rendition(1)])
        pipeline.finish(Rendition(1), with: .stopped)
        #expect(pipeline.running == [Rendition(3)])
        pipeline.finishAll()
        #expect(pipeline.statistics.renders.started == 2)
        // The window has forgotten them too, and may be told to end.
        pipeline.stopCaching([Rendition(1), Rendition(3)], in: window)
        #expect(pipeline.cached(1...3) == [3])
    }
}

extension TablePipeline {
    fileprivate mutating func forget(_ asset: Int) {
        driver.apply { $0.forget([AssetIdentifier(high: 0, low: UInt64(asset))], at: $1) }
    }
}
