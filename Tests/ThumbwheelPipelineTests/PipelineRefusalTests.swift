import SimulationKit
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

@Suite("Renditions that cannot be made because of their files")
struct PipelineRefusalTests {
    private typealias Rendition = TablePipeline.Rendition

    private static let crash = RenderOutcome.failed(.rendering(.decoderFailed(signal: 11)))

    /// A pipeline in which a rendition of an asset has failed.
    private static func pipeline(
        after outcome: RenderOutcome, of rendition: Rendition = Rendition(1), limit: Int = 8
    ) -> TablePipeline {
        var pipeline = TablePipeline(workers: 2, refusalLimit: limit)
        let id = pipeline.submit(rendition.asset, side: rendition.side)
        pipeline.finish(rendition, with: outcome)
        #expect(pipeline.received(id).count == 1)
        return pipeline
    }

    @Test("a damaged file fails at once at its second request, and other renditions of it are tried")
    func damage() {
        var pipeline = Self.pipeline(after: TablePipeline.truncated)
        let again = pipeline.submit(1)
        #expect(pipeline.received(again) == [.failed("truncated")])
        #expect(pipeline.running.isEmpty && pipeline.statistics.renders.spared == 1)
        let other = pipeline.submit(1, side: 50)
        pipeline.finish(Rendition(1, side: 50))
        #expect(pipeline.received(other) == [.final(.high)])
    }

    @Test("a request that takes less gets the partial image from the cache, and nothing is decoded")
    func partialImages() {
        var pipeline = TablePipeline(refusalLimit: 8)
        let first = pipeline.submit(1, .opportunistic)
        pipeline.finish(Rendition(1), with: TablePipeline.truncated)
        pipeline.finish(
            Rendition(1, .fast), with: .image(TablePipeline.image(for: Rendition(1, .fast), isPartial: true)))
        #expect(pipeline.received(first) == [.partial(.fast)])
        let started = pipeline.started.count
        let second = pipeline.submit(1, .opportunistic)
        #expect(pipeline.received(second).last == .partial(.fast))
        #expect(pipeline.started.count == started)
    }

    @Test("a file that has crashed its decoder is not given to it again, at any size")
    func crashes() {
        var pipeline = Self.pipeline(after: Self.crash)
        for side in [100, 50, 700] {
            let id = pipeline.submit(1, side: side)
            #expect(pipeline.received(id) == [.failed("decoderFailed")])
        }
        let fast = pipeline.submit(1, .fast)
        #expect(pipeline.received(fast) == [.failed("decoderFailed")])
        #expect(pipeline.statistics.renders.started == 1)
        #expect(pipeline.statistics.renders.spared == 4)
        // Another file is decoded as usual.
        let other = pipeline.submit(2)
        pipeline.finishAll()
        #expect(pipeline.received(other) == [.final(.high)])
    }

    @Test("a preview that crashes its decoder is not tried again, and the final image is")
    func previews() {
        var pipeline = TablePipeline(workers: 1, refusalLimit: 8)
        for round in 0..<2 {
            let id = pipeline.submit(1, .opportunistic, side: 100 + round, hasPreview: true)
            if round == 0 { pipeline.finish(Rendition(1, .preview), with: Self.crash) }
            #expect(pipeline.running == [Rendition(1, side: 100 + round)])
            pipeline.cancel(id)
            pipeline.finish(Rendition(1, side: 100 + round), with: .stopped)
        }
        #expect(pipeline.statistics.renders.spared == 1)
    }

    @Test("another picture of the asset is tried")
    func edits() {
        var pipeline = Self.pipeline(after: Self.crash)
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1, contentVersion: 2)], in: window)
        #expect(pipeline.running == [Rendition(1, contentVersion: 2)])
    }

    @Test("a caching manager's wish is not tried either")
    func windows() {
        var pipeline = Self.pipeline(after: Self.crash)
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1), Rendition(2)], in: window)
        #expect(pipeline.running == [Rendition(2)])
    }

    @Test(
        "what does not lie in the file is tried again",
        arguments: [
            ImageRequestError.timeLimitExceeded,
            .rendering(.decoderFailed(signal: nil)), .rendering(.decoderFailed(signal: 9)),
            .rendering(.unavailable(reason: "")), .rendering(.limitExceeded(limit: .memory)),
        ])
    func otherReasons(_ error: ImageRequestError) {
        var pipeline = Self.pipeline(after: .failed(error))
        _ = pipeline.submit(1)
        #expect(pipeline.running == [Rendition(1)])
    }

    @Test("a forgotten asset leaves no note, and the oldest notes make room for new ones")
    func bound() {
        var pipeline = TablePipeline(workers: 1, refusalLimit: 3)
        for asset in 1...4 {
            _ = pipeline.submit(asset)
            pipeline.finish(Rendition(asset), with: Self.crash)
        }
        #expect(pipeline.driver.state.refusals.count == 3)
        pipeline.driver.apply { $0.forget([AssetIdentifier(high: 0, low: 3)], at: $1) }
        #expect(pipeline.driver.state.refusals.count == 2)
        for asset in [2, 4] {
            let id = pipeline.submit(asset)
            #expect(pipeline.received(id) == [.failed("decoderFailed")])
        }
        for asset in [1, 3] {
            _ = pipeline.submit(asset)
            #expect(pipeline.running == [Rendition(asset)])
            pipeline.finish(Rendition(asset), with: Self.crash)
        }
        #expect(pipeline.driver.state.refusals.count == 3)
        #expect(pipeline.driver.state.brokenInvariant == nil)
    }

    @Test("a refused request that is cancelled in the same batch ends once")
    func batches() {
        var pipeline = Self.pipeline(after: Self.crash)
        pipeline.driver.apply { state, _ in state.beginBatch() }
        let (one, other) = (pipeline.submit(1), pipeline.submit(1))
        #expect(pipeline.driver.state.brokenInvariant == nil)
        pipeline.cancel(one)
        pipeline.driver.apply { $0.endBatch(at: $1) }
        #expect(pipeline.received(one) == [.cancelled])
        #expect(pipeline.received(other) == [.failed("decoderFailed")])
        pipeline.driver.apply { state, _ in state.beginBatch() }
        let alone = pipeline.submit(1)
        pipeline.cancel(alone)
        pipeline.driver.apply { $0.endBatch(at: $1) }
        #expect(pipeline.received(alone) == [.cancelled])
        #expect(pipeline.driver.state.brokenInvariant == nil)
    }

    @Test("a file that is not stored locally is not fetched again")
    func fetches() {
        var pipeline = TablePipeline(refusalLimit: 8)
        _ = pipeline.submit(1, remoteBytes: 500)
        pipeline.finishFetch(1)
        pipeline.finish(Rendition(1), with: TablePipeline.truncated)
        let id = pipeline.submit(1, remoteBytes: 500)
        #expect(pipeline.fetching.isEmpty)
        #expect(pipeline.received(id) == [.failed("truncated")])
    }
}
