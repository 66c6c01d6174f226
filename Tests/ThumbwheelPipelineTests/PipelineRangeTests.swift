import SimulationKit
import Testing
import ThumbwheelCore

@testable import ThumbwheelPipeline

/// Parts of files that come over a network.
@Suite struct PipelineRangeTests {
    private typealias Rendition = TablePipeline.Rendition

    private func extent(_ rendition: Rendition) -> FetchExtent { .rendition(rendition.key.options) }

    @Test("each rendition has a fetch of its own ranges, paid for while it is made, and shares no decode")
    func ownRanges() {
        var pipeline = TablePipeline(workers: 1, keepsRenditions: false)
        let small = pipeline.submit(1, side: 100, bytes: 10, eighths: 1, remoteBytes: 500, isReadByRanges: true)
        let large = pipeline.submit(1, side: 200, bytes: 10, eighths: 2, remoteBytes: 500, isReadByRanges: true)
        #expect(pipeline.extents(of: 1) == [extent(Rendition(1, side: 100)), extent(Rendition(1, side: 200))])
        pipeline.finishFetch(1, extent(Rendition(1, side: 100)), bytes: 60)
        pipeline.finishFetch(1, extent(Rendition(1, side: 200)), bytes: 70)
        #expect(pipeline.statistics.budgetUsedByteCount == 60 + 70 + 10)
        pipeline.finishAll(bytes: 10)
        #expect(pipeline.decodes.map(\.count) == [1, 1])
        #expect(pipeline.received(small) == [.final(.high)] && pipeline.received(large) == [.final(.high)])
        #expect(pipeline.statistics.budgetUsedByteCount == 0)
    }

    @Test("a decoder that lacks bytes gets the whole file, once, and the request its image")
    func lacking() {
        var pipeline = TablePipeline(workers: 1)
        let id = pipeline.submit(1, remoteBytes: 500, isReadByRanges: true)
        pipeline.finishFetch(1, bytes: 60)
        pipeline.finish(Rendition(1), with: .lackingBytes)
        #expect(pipeline.extents(of: 1) == [.whole] && pipeline.running.isEmpty)
        #expect(pipeline.statistics.budgetUsedByteCount == 500, "the ranges are gone")
        pipeline.finishFetch(1)
        #expect(pipeline.running == [Rendition(1)])
        pipeline.finishAll()
        #expect(pipeline.received(id) == [.final(.high)])
        #expect(pipeline.statistics.fetches.byteCount == 560)
    }

    @Test("a request that was cancelled meanwhile gets no whole file")
    func cancelled() {
        var pipeline = TablePipeline(workers: 1)
        let id = pipeline.submit(1, remoteBytes: 500, isReadByRanges: true)
        pipeline.finishFetch(1, bytes: 60)
        pipeline.cancel(id)
        pipeline.finish(Rendition(1), with: .lackingBytes)
        #expect(pipeline.fetching.isEmpty && pipeline.running.isEmpty)
        #expect(pipeline.statistics.budgetUsedByteCount == 0)
        #expect(pipeline.received(id) == [.cancelled])
    }

    @Test("a preview that is elsewhere comes before the photograph, with a progress that nobody is told")
    func preview() {
        var pipeline = TablePipeline(workers: 1)
        let id = pipeline.submit(
            1, .opportunistic, hasPreview: true, remoteBytes: 500, reportsProgress: true, remotePreviewBytes: 64)
        #expect(pipeline.extents(of: 1) == [.preview, .whole])
        pipeline.progressFetch(1, .preview, to: 0.5)
        pipeline.progressFetch(1, .whole, to: 0.25)
        #expect(pipeline.received(id) == [.progress(0.25)])
        pipeline.finishFetch(1, .preview, bytes: 64)
        #expect(pipeline.running == [Rendition(1, .preview)])
        pipeline.finishAll()
        #expect(pipeline.received(id) == [.degraded(side: TablePipeline.previewSide)])
        pipeline.finishFetch(1, .whole)
        pipeline.finishAll()
        #expect(pipeline.received(id) == [.final(.high)])
    }

    @Test("a preview that cannot be fetched, or lacks bytes, leaves the final image to come")
    func failingPreview() {
        for lacks in [false, true] {
            var pipeline = TablePipeline(workers: 1)
            let id = pipeline.submit(1, .opportunistic, hasPreview: true, remoteBytes: 500, remotePreviewBytes: 64)
            if lacks {
                pipeline.finishFetch(1, .preview, bytes: 64)
                pipeline.finish(Rendition(1, .preview), with: .lackingBytes)
            } else {
                pipeline.finishFetch(1, .preview, with: .failed(.network(.timedOut)))
            }
            #expect(pipeline.extents(of: 1) == [.whole])
            pipeline.finishFetch(1, .whole)
            pipeline.finishAll()
            #expect(pipeline.received(id) == [.final(.high)])
        }
    }

    @Test("a job that waits for ranges is made of a better rendition as soon as there is one")
    func betterRendition() {
        var pipeline = TablePipeline(workers: 1)
        func submit(_ side: Int) -> ImageRequestID {
            pipeline.submit(
                1, side: side, bytes: 2_000_000, milliseconds: 10, remoteBytes: 500,
                photograph: PixelSize(width: 4000, height: 4000), isReadByRanges: true)
        }
        let (large, small) = (submit(256), submit(100))
        pipeline.finishFetch(1, extent(Rendition(1, side: 256)), bytes: 60)
        pipeline.finish(Rendition(1, side: 256), bytes: 256 * 256 * 3)
        #expect(pipeline.received(large) == [.final(.high)])
        #expect(pipeline.running == [Rendition(1, side: 100)])
        #expect(pipeline.driver.starts.last?.input?.key == Rendition(1, side: 256).key)
        pipeline.finish(Rendition(1, side: 100))
        #expect(pipeline.received(small) == [.cached(.high)])
        pipeline.finishFetch(1, with: .stopped)
        #expect(pipeline.statistics.budgetUsedByteCount == pipeline.statistics.cachedByteCount)
    }
}
